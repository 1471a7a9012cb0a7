"""The API in the test's own process, over a real database."""

import asyncio
import contextlib
import functools
import json
import uuid
from collections.abc import AsyncIterator, Awaitable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any, Self

import httpx
import uvicorn
from fastapi import FastAPI
from searchqa_client.sse import SSEParser

from app.api.app import create_app
from app.judges.verdict_prompts import DEFAULT_PROMPT, ONE_CALL_PROMPTS
from app.platform.processes.calls import Limits
from app.platform.processes.pool import quick_lane
from app.text.morphemes import morphemes_of_many
from app.verdicts.lifecycle.outcome import Outcome
from app.workspaces.service import create_login_code, create_token, ensure_workspace
from app.workspaces.tokens import Scope
from cases import TIMEOUT_SECONDS, eventually
from stub_server import StubServer
from verdict_world import World, set_policy, settings
from workers import judge_once


@dataclass
class Api:
    """`client` has a token with all scopes of the default workspace; `anonymous` has none."""

    app: FastAPI
    world: World
    client: httpx.AsyncClient
    anonymous: httpx.AsyncClient

    async def renewed(self) -> Self:
        """The same API after its database was emptied."""
        client = await self.as_token(scopes=list(Scope))
        return replace(self, client=client)

    async def as_token(
        self,
        *,
        workspace: str = "default",
        scopes: Sequence[str] = ("read", "write"),
        name: str = "test",
    ) -> httpx.AsyncClient:
        """A client of another workspace, with fewer scopes, or of somebody else."""
        token = await _token(self.world, workspace, scopes, name)
        return _client(self.app, headers={"Authorization": f"Bearer {token}"})

    async def login_code(self, **about: str) -> str:
        async with self.world.sessions.begin() as session:
            return await create_login_code(session, await ensure_workspace(session), **about)

    def browser(self, cookies: httpx.Cookies, **headers: str) -> httpx.AsyncClient:
        """A page of the server itself, unless `headers` say otherwise."""
        return _client(self.app, cookies=cookies, headers=headers or {"Origin": "http://test"})

    async def judge_next(self, outcome: Outcome) -> None:
        """Waits for a queued row, claims it and records the outcome, as a worker would."""
        (claim,) = await self.world.lifecycle.claim(await eventually(self._queued))
        assert await self.world.lifecycle.record([(claim, outcome)]) == {claim.id}

    async def _queued(self) -> list[uuid.UUID]:
        rows = await self.world.rows("SELECT id FROM qa_evaluations WHERE status = 'queued'")
        return [row["id"] for row in rows]


async def json_of(asked: Awaitable[httpx.Response], status: int = 200) -> Any:
    """What a request is answered, with this status."""
    response = await asked
    assert response.status_code == status, response.text
    return response.json()


async def all_pages(client: httpx.AsyncClient, path: str, **query: object) -> list[dict[str, Any]]:
    """The items of a list, page after page."""
    found: list[dict[str, Any]] = []
    while True:
        page = await json_of(client.get(path, params=query))
        found += page["items"]
        if page["next"] is None:
            return found
        query["after"] = page["next"]


def _client(app: FastAPI, **options: object) -> httpx.AsyncClient:
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    return httpx.AsyncClient(
        transport=transport, base_url="http://test", timeout=TIMEOUT_SECONDS, **options
    )


async def _token(world: World, workspace: str, scopes: Sequence[str], name: str = "test") -> str:
    async with world.sessions.begin() as session:
        workspace_id = await ensure_workspace(session, workspace)
        granted = [Scope(scope) for scope in scopes]
        return (await create_token(session, workspace_id, name=name, scopes=granted))[1]


@asynccontextmanager
async def open_api(world: World, redis_url: str, **changes: object) -> AsyncIterator[Api]:
    given = {"database_url": world.url, "redis_url": redis_url} | changes
    # The next test's questions are analysed by the same children, which have the Korean model.
    app = create_app(settings(**given), at_end=lambda: None)
    token = await _token(world, "default", list(Scope))
    async with (
        app.router.lifespan_context(app),
        _client(app, headers={"Authorization": f"Bearer {token}"}) as client,
        _client(app) as anonymous,
    ):
        yield Api(app, world, client, anonymous)


NOTES = {
    "notebook": "실험실",
    "notes": [
        {"title": "PCR 조건", "content": "PCR 변성은 95도에서 30초 동안 한다."},
        {"title": "배양기", "content": "배양기는 37도, 이산화탄소 5퍼센트로 맞춘다."},
    ],
}
QUESTION = {"feature": "search_qa", "content": "PCR 변성은 몇 도에서 하나요?"}


@functools.cache
def openapi_paths() -> Mapping[str, Mapping[str, Any]]:
    """Operations by path and method. Kept, since the document takes two seconds to make."""
    return create_app(settings()).openapi()["paths"]


async def import_notes(api: Api) -> None:
    response = await api.client.post("/notes/import", json=NOTES)
    assert response.status_code == 200, response.text


JUDGE_MODEL = "openai:gpt-4o-mini"


def model_settings(stub: StubServer) -> dict[str, Any]:
    return {"openai_base_url": stub.base_url, "openai_api_key": "sk-test"}


async def queue_answer(api: Api, stub: StubServer, **policy: object) -> None:
    """An answer that waits to be judged under this policy."""
    policy = {"judge_model": JUDGE_MODEL, **policy}
    await set_policy(api.world, settings(**model_settings(stub)), **policy)
    await import_notes(api)
    response = await api.client.post("/ai/chat", json=QUESTION)
    assert response.status_code == 200, response.text


async def judged(api: Api, stub: StubServer) -> dict[str, Any]:
    """The verdict on it, as a worker gives it."""
    (id_,) = await api._queued()
    await judge_once(api.world, id_, settings(**model_settings(stub)))
    return (await api.client.get(f"/qa-evaluations/{id_}")).json()


async def watched(api: Api, count: int) -> None:
    """Waits until so many tokens have a stream."""
    await eventually(lambda: len(api.app.state.services.tokens._on_end) == count)


@dataclass
class Event:
    """One server-sent event; `data` is parsed JSON, but for `[DONE]`."""

    name: str
    data: Any
    id: str | None


def parse_events(body: str) -> list[Event]:
    return [
        Event(each.name, each.data if each.data == "[DONE]" else json.loads(each.data), each.id)
        for each in SSEParser().feed(body.encode())
    ]


_LONG_LIMITS = Limits(seconds=TIMEOUT_SECONDS, megabytes=1024)


class Server(uvicorn.Server):
    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leaves the signals of the test run alone."""
        yield


@asynccontextmanager
async def served(api: Api) -> AsyncIterator[str]:
    """Its address, without a slash at the end."""
    config = uvicorn.Config(
        api.app, port=0, log_config=None, ws="none", lifespan="off", timeout_graceful_shutdown=1
    )
    server = Server(config)
    serving = asyncio.create_task(server.serve())
    try:
        while not server.started:
            assert not serving.done(), "it did not start"
            await asyncio.sleep(0.01)
        host, port = server.servers[0].sockets[0].getsockname()[:2]
        yield f"http://{host}:{port}"
    finally:
        server.should_exit = True
        await serving


async def load_korean_model() -> None:
    """On a busy machine a first verdict by rules would wait for it for longer than it may take."""
    await quick_lane().run(_LONG_LIMITS, morphemes_of_many, ["변성은 95도에서 한다."])


def token_of(api: Api) -> str:
    """With all scopes of the default workspace."""
    return api.client.headers["Authorization"].removeprefix("Bearer ")


# What the judge is asked by that no shipped prompt says.
STRICTER = "단위가 하나라도 빠지면 supported라고 쓰지 마세요."


def stricter(added: str = STRICTER) -> str:
    """The Korean instructions of the default prompt with a sentence more."""
    return f"{ONE_CALL_PROMPTS[DEFAULT_PROMPT].system['ko']}\n{added}"


async def keep_prompt(api: Api, name: str = "strict", **changes: Any) -> dict[str, Any]:
    """The next version of a name, as the API returns it."""
    body = {"name": name, "parent": DEFAULT_PROMPT, "texts": {"ko": stricter()}, "note": "단위"}
    response = await api.client.post("/judge-prompts", json=body | changes)
    assert response.status_code == 201, response.text
    return response.json()


async def put_trial(world: World, evaluation_id: uuid.UUID | str) -> str:
    """A trial of an answer that has ended, whose model need not be there; its id."""
    (row,) = await world.rows(
        "INSERT INTO judge_trials (id, workspace_id, evaluation_id, judge_model, prompt, lang,"
        " made_by, error, finished_at) SELECT gen_random_uuid(), e.workspace_id, e.id,"
        " 'openai:gpt-4o-mini', %s, 'ko', 'test', 'transient: busy', now()"
        " FROM qa_evaluations e WHERE e.id = %s RETURNING id",
        DEFAULT_PROMPT,
        evaluation_id,
    )
    return str(row["id"])


async def put_succession(world: World, workspace_id: uuid.UUID) -> str:
    """A succession that has ended without a comparison; its id."""
    (row,) = await world.rows(
        "INSERT INTO judge_successions (id, workspace_id, old_model, new_model, seed, made_by,"
        " status, finished_at) VALUES (gen_random_uuid(), %s, 'openai:gpt-4o-mini', 'openai:next',"
        " 1, 'test', 'failed', now()) RETURNING id",
        workspace_id,
    )
    return str(row["id"])


_LEARNING = {
    "judge_model": "openai:gpt-4o-mini",
    **dict.fromkeys(("prompt", "candidate", "threshold", "estimated_usd", "result")),
    **dict.fromkeys(("examples", "learned_on", "proven_on"), 0),
    "dry_run": False,
    "made_by": "test",
}


async def put_learning(world: World, workspace_id: uuid.UUID, made_by: str = "test") -> str:
    """A learning that has failed; its id."""
    (row,) = await world.rows(
        "INSERT INTO judge_benches (id, workspace_id, name, source, judges, threshold, judge_spans,"
        " available, seed, items, hallucinated, rejected, status, finished_at, learning)"
        " VALUES (gen_random_uuid(), %s, 'learned', 'feedback', '{}', .5, false, 0, 0, 0, 0, '[]',"
        " 'failed', now(), %s::jsonb) RETURNING id",
        *(workspace_id, json.dumps(_LEARNING | {"made_by": made_by})),
    )
    return str(row["id"])
