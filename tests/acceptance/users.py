"""Somebody who works with a running stack, by command, by psql and over HTTP."""

import json
from dataclasses import dataclass
from typing import Any

import httpx

from cases import eventually
from live_stack import LiveStack

QUESTION = {"feature": "search_qa", "content": "PCR 변성은 몇 도에서 하나요?"}


async def ask(client: httpx.AsyncClient) -> str:
    """The id of the evaluation of a fresh answer."""
    response = await client.post("/ai/chat", json=QUESTION)
    assert response.status_code == 200, response.text
    return str(response.json()["quality"]["evaluation_id"])


@dataclass(frozen=True)
class User:
    """Somebody with a workspace of their own on the stack."""

    stack: LiveStack
    workspace: str
    token: str

    @property
    def _environment(self) -> dict[str, str]:
        return {"SEARCHQA_URL": self.stack.info.api_url, "SEARCHQA_TOKEN": self.token}

    async def do(self, *arguments: str) -> str:
        return await self.stack.succeed(*arguments, **self._environment)

    async def json(self, *arguments: str) -> Any:
        return json.loads(await self.do(*arguments, "--json"))

    async def api(self, method: str, path: str, *fields: str) -> Any:
        """The reply to `searchqa api`; None for an empty one."""
        printed = await self.do("api", method, path, *fields)
        return json.loads(printed) if printed.strip() else None

    async def rejudge(self, *fields: str) -> dict[str, Any]:
        """The progress of a job that judges again, once it has ended."""
        begun = await self.api("POST", "/evaluation/rejudge", *fields)
        path = f"/evaluation/rejudge/jobs/{begun['job']['id']}"

        async def ended() -> dict[str, Any]:
            found = await self.over_http(path)
            is_over = found["job"]["finished_at"] and not found["progress"]["pending"]
            return found["progress"] if is_over else {}

        return await eventually(ended)

    async def refused(self, *arguments: str, code: int = 1) -> str:
        ran = await self.stack.run(*arguments, **self._environment)
        assert ran.code == code, ran.out + ran.err
        return ran.err

    async def analyst(self, sql: str) -> Any:
        """The rows of a query by psql as searchqa_analyst."""
        asked = f"SELECT coalesce(json_agg(q), '[]') FROM ({sql}) q"
        given = ("psql", "--analyst", "--workspace", self.workspace, "--", "-XAtqc", asked)
        return json.loads(await self.stack.succeed(*given))

    async def over_http(self, path: str, **parameters: str) -> Any:
        async with self.stack.client(self.token) as client:
            return (await client.get(path, params=parameters)).raise_for_status().json()

    async def post(self, path: str, body: dict[str, Any]) -> Any:
        async with self.stack.client(self.token) as client:
            return (await client.post(path, json=body)).raise_for_status().json()

    async def current(self) -> list[dict[str, Any]]:
        """The verdicts that count."""
        found = await self.over_http("/qa-evaluations")
        return [view for view in found["items"] if view["is_current"]]

    async def judged(self, count: int) -> list[dict[str, Any]]:
        """Its verdicts once there are so many."""

        async def all_there() -> list[dict[str, Any]]:
            found = await self.over_http("/qa-evaluations", status="succeeded")
            return found["items"] if len(found["items"]) == count else []

        return await eventually(all_there)
