"""The tools: each is a call or two of the HTTP API, whose tokens, scopes and limits hold; and what
of a reply an agent is shown."""

import asyncio
import datetime as dt
import uuid
from collections.abc import Callable, Collection, Mapping
from importlib.metadata import version
from time import monotonic
from typing import Annotated, Any, Literal

import httpx
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ToolAnnotations
from pydantic import Field
from searchqa_client.errors import problem_of, unreachable

from app.integrations.mcp.documentation import find_sections
from app.verdicts.status import FINAL

# Of a text in a result, and of a list.
MAX_TEXT = 600
MAX_ITEMS = 20
# Rules need no second, models many.
_FIRST_PAUSE_SECONDS, _MAX_PAUSE_SECONDS = 0.25, 4.0
# Of a verdict: what an agent can do nothing with.
_OMITTED = {
    *("attempt", "cascade", "evaluators", "policy_version", "prompt_tokens", "completion_tokens"),
    *("queue_ms", "judge_ms", "started_at", "next_attempt_at", "from_cache", "cost_usd", "search"),
    *("created_at", "current_id", "provider", "model", "start", "end", "position", "quality"),
}


class ApiCalls:
    """client_of: that of the API for a call of a tool, with the token of its asker. public_url:
    where readers find the pages, by default where the client calls."""

    def __init__(
        self, client_of: Callable[[Context], httpx.AsyncClient], *, public_url: str | None = None
    ) -> None:
        self._client_of = client_of
        self._public_url = public_url

    def link(self, context: Context, path: str) -> str:
        address = self._public_url or str(self._client_of(context).base_url)
        return f"{address.rstrip('/')}/ui{path}"

    async def get(
        self, context: Context, path: str, params: Mapping[str, object] | None = None
    ) -> Any:
        """Raises ToolError in the API's words. None is left out of params."""
        given = {name: value for name, value in (params or {}).items() if value is not None}
        return await self._send(context, "GET", path, params=given)

    async def post(self, context: Context, path: str, body: Mapping[str, object]) -> Any:
        """Raises ToolError in the API's words."""
        return await self._send(context, "POST", path, json=body)

    async def _send(self, context: Context, method: str, path: str, **content: Any) -> Any:
        client = self._client_of(context)
        try:
            response = await client.request(method, path, **content)
        except httpx.HTTPError as error:
            raise ToolError(str(unreachable(error, str(client.base_url).rstrip("/")))) from error
        if response.is_success:
            return response.json() if response.content else None
        raise ToolError(str(problem_of(response)))

    async def verdict(
        self, context: Context, evaluation_id: uuid.UUID, *, wait: float
    ) -> dict[str, Any]:
        """The verdict in short, as it stands when it is final or after `wait` seconds."""
        path = f"/qa-evaluations/{evaluation_id}"
        until, pause = monotonic() + wait, _FIRST_PAUSE_SECONDS
        while (found := await self.get(context, path))["status"] not in FINAL:
            if (left := until - monotonic()) <= 0:
                break
            await asyncio.sleep(min(pause, left))
            pause = min(2 * pause, _MAX_PAUSE_SECONDS)
        link = self.link(context, f"/evaluations/{evaluation_id}")
        return {**shortened(found), "link": link}


def shortened(value: Any, omitted: Collection[str] = _OMITTED) -> Any:
    """The value without what is null or empty, and keys that are `omitted` because they say nothing
    to an agent; texts and lists are cut."""
    match value:
        case dict():
            kept = {k: shortened(each, omitted) for k, each in value.items() if k not in omitted}
            return {key: each for key, each in kept.items() if each not in (None, "", [], {})}
        case list():
            return [shortened(each, omitted) for each in value[:MAX_ITEMS]]
        case str() if len(value) > MAX_TEXT:
            return f"{value[:MAX_TEXT]}…"
    return value


INSTRUCTIONS = """SearchQA answers questions from notes and judges every answer: is each claim
grounded in the notes, and does it answer the question? An outcome `undecided` is no doubt: rules
could not tell. Show readers the `link` of what you name."""

_READS = ToolAnnotations(read_only_hint=True, open_world_hint=False)
_WRITES = ToolAnnotations(read_only_hint=False, destructive_hint=False, open_world_hint=False)
Wait = Annotated[float, Field(ge=0, le=60, description="Seconds to wait for the verdict.")]
Count = Annotated[int, Field(ge=1, le=MAX_ITEMS)]
# Segments of paths: ids, and this.
QueryName = Annotated[str, Field(pattern=r"^[a-z0-9-]{1,100}$")]
Result = dict[str, Any]


def make_server(api: ApiCalls) -> MCPServer:
    """The server with its tools; `api` calls with the rights of whoever asks."""
    server: MCPServer = MCPServer(
        "searchqa", version=version("searchqa"), instructions=INSTRUCTIONS
    )
    for annotations, make in ((_READS, _reading), (_WRITES, _writing)):
        for tool in make(api):
            server.add_tool(tool, annotations=annotations)
    return server


def _reading(api: ApiCalls) -> tuple[Callable[..., Any], ...]:
    async def find_verdicts(
        context: Context,
        question: str | None = None,
        confidence: Literal["high", "medium", "low"] | None = None,
        app_version: str | None = None,
        answer_model: str | None = None,
        first_day: dt.date | None = None,
        last_day: dt.date | None = None,
        order: Literal["newest", "worst"] = "newest",
        limit: Count = 10,
    ) -> Result:
        """List verdicts of stored answers, by part of the question, confidence, release, answering
        model and days (UTC, both included)."""
        asked = {
            "question": question,
            "confidence": confidence,
            "app_version": app_version,
            "answer_model": answer_model,
            "first_day": first_day,
            "last_day": last_day,
        }
        found = await api.get(
            context, "/qa-evaluations", asked | {"order": order, "limit": limit, "current": True}
        )
        rows = [
            {**shortened(row), "link": api.link(context, f"/evaluations/{row['id']}")}
            for row in found["items"]
        ]
        return {"verdicts": rows, "more": found["next"] is not None}

    async def explain_verdict(context: Context, evaluation_id: uuid.UUID) -> Result:
        """One verdict with its evidence: scores, claims, and the notes of the answer."""
        verdict = await api.verdict(context, evaluation_id, wait=0)
        sources = await api.get(context, f"/qa-evaluations/{evaluation_id}/sources")
        return {**verdict, "notes": shortened(sources)}

    async def what_changed(context: Context, since: dt.date | None = None) -> Result:
        """The newest day beside the days before it: whether quality fell, and why."""
        found = await api.get(context, "/analytics/what-changed", {"since": since})
        link = api.link(context, "/quality")
        return {"changed": shortened(found["changed"]) or "too few answers to tell", "link": link}

    async def query_analytics(
        context: Context,
        name: QueryName | None = None,
        since: dt.date | None = None,
        until: dt.date | None = None,
        app_version: str | None = None,
    ) -> Result:
        """The first 20 rows of a named analytics query, of days the newest; without a name, the
        names and what they give."""
        if name is None:
            known = await api.get(context, "/analytics")
            return {"queries": {each["name"]: each["description"] for each in known["queries"]}}
        asked = {"since": since, "until": until, "app_version": app_version, "limit": MAX_ITEMS}
        found = await api.get(context, f"/analytics/{name}", asked)
        return {"rows": shortened(found["rows"], omitted=()), "more": found["truncated"]}

    async def compare_runs(context: Context, baseline: uuid.UUID, other: uuid.UUID) -> Result:
        """Metrics of a run beside those of a baseline over the same cases, with p-values."""
        found = await api.get(context, f"/evaluation/runs/{baseline}/compare/{other}")
        link = api.link(context, f"/runs/compare?runs={baseline},{other}")
        return {**shortened(found), "link": link}

    async def list_datasets(context: Context) -> Result:
        """Datasets with their ids, for runs."""
        found = await api.get(context, "/evaluation/datasets", {"limit": MAX_ITEMS})
        return {"datasets": shortened(found["items"])}

    async def search_docs(query: str) -> Result:
        """Sections of SearchQA's documentation that have most words of the query."""
        return {"sections": find_sections(query)}

    return (
        *(find_verdicts, explain_verdict, what_changed, query_analytics, compare_runs),
        *(list_datasets, search_docs),
    )


def _writing(api: ApiCalls) -> tuple[Callable[..., Any], ...]:
    async def ask(
        context: Context, question: str, notebook_id: str | None = None, wait: Wait = 20
    ) -> Result:
        """Answer a question from the notes, and judge the answer. It is stored, as all are."""
        options = {"notebook_id": notebook_id} if notebook_id else {}
        body = {"feature": "search_qa", "content": question, "options": options}
        found = await api.post(context, "/ai/chat", body)
        evaluation_id = found["quality"]["evaluation_id"]
        if evaluation_id is None:
            return {"answer": found["content"], "verdict": "the answer was not stored"}
        verdict = await api.verdict(context, uuid.UUID(evaluation_id), wait=wait)
        return {"answer": found["content"], "verdict": verdict}

    async def judge(
        context: Context, question: str, answer: str, notes: list[str], wait: Wait = 20
    ) -> Result:
        """Judge an answer that another application gave from these notes (whole texts)."""
        sources = [{"content": note} for note in notes]
        body = {"question": question, "answer": answer, "sources": sources}
        created = await api.post(context, "/qa-evaluations", body)
        return await api.verdict(context, uuid.UUID(created["id"]), wait=wait)

    async def start_run(
        context: Context,
        dataset_id: uuid.UUID,
        name: str | None = None,
        answer_model: str | None = None,
    ) -> Result:
        """Answer and judge all cases of a dataset. Models may cost money."""
        body = {"evaluation_type": "full_rag", "name": name, "answer_model": answer_model}
        run = await api.post(context, f"/evaluation/datasets/{dataset_id}/runs", body)
        kept = {key: run[key] for key in ("id", "name", "status", "cases", "done")}
        return {**kept, "link": api.link(context, f"/runs/{run['id']}")}

    return ask, judge, start_run
