"""The tools: each is a call or two of the HTTP API, whose tokens, scopes and limits hold."""

import datetime as dt
import uuid
from collections.abc import Callable
from importlib.metadata import version
from typing import Annotated, Any, Literal

from mcp.server.mcpserver import Context, MCPServer
from mcp.types import ToolAnnotations
from pydantic import Field

from app.integrations.mcp.api_calls import MAX_ITEMS, ApiCalls, shortened
from app.integrations.mcp.documentation import find_sections

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
            context,
            "/qa-evaluations",
            asked | {"order": order, "limit": limit, "current": True},
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
        """Rows of a named analytics query; without a name, the names and what they give."""
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
