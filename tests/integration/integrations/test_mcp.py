"""The Model Context Protocol, by the SDK's own client: over HTTP and over stdio."""

import asyncio
import datetime as dt
import os
import re
import sys
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import httpx2
import pytest
from llama_index.tools.mcp import BasicMCPClient, McpToolSpec
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError

from analytics_rows import NOON, put_verdict
from api_client import Api, import_notes, open_api, served, token_of
from app.integrations.mcp.server import MAX_ITEMS, ApiCalls
from run_rows import chunk_ids, started, stored
from verdict_world import verdict

pytestmark = pytest.mark.asyncio(loop_scope="module")

READING = {
    *("find_verdicts", "explain_verdict", "what_changed", "query_analytics", "compare_runs"),
    *("list_datasets", "search_docs"),
}
ANSWER = {
    "question": "몇 도?",
    "answer": "95도입니다. [노트 1]",
    "sources": [
        {"title": "PCR", "content": "95도에서 한다."},
        {"title": "배양", "content": "37도."},
    ],
}
SKILL = Path("examples/skills/searchqa/SKILL.md").read_text("utf-8")
PAGES = {page.name: page.read_text("utf-8") for page in Path("docs").glob("*.md")}
WRITING = {"ask", "judge", "start_run"}


@asynccontextmanager
async def agent(api: Api, token: str | None = None) -> AsyncIterator[Client]:
    """Connected over HTTP, with all scopes unless a token is given; without one for an empty."""
    token = token_of(api) if token is None else token
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    async with (
        served(api) as address,
        httpx2.AsyncClient(headers=headers, timeout=60) as http,
        Client(streamable_http_client(f"{address}/mcp", http_client=http)) as client,
    ):
        yield client


async def call(client: Client, tool: str, **arguments: Any) -> Any:
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    return result.structured_content


async def refused(client: Client, tool: str, **arguments: Any) -> str:
    result = await client.call_tool(tool, arguments)
    assert result.is_error
    return str(result.content[0].text)


async def put(api: Api, **values: Any) -> uuid.UUID:
    here = await api.world.workspace()
    return await put_verdict(api.world, here, **values)


async def test_an_agent_finds_and_explains_verdicts(api):
    low = (await api.client.post("/qa-evaluations", json=ANSWER)).json()["id"]
    await api.judge_next(verdict())
    await put(api)
    async with agent(api) as client:
        tools = (await client.list_tools()).tools
        found = await call(client, "find_verdicts", question="몇 도", order="worst")
        explained = await call(client, "explain_verdict", evaluation_id=low)
        named = await call(client, "query_analytics")
        days = {"since": "2026-03-01", "until": "2026-03-31"}
        rows = await call(client, "query_analytics", name="daily-quality", **days)
        costs = await call(client, "query_analytics", name="judge-cost", **days)
        changed = await call(client, "what_changed", since="2026-03-01")
        docs = await call(client, "search_docs", query="confidence of a verdict by rules")

    assert {tool.name for tool in tools} == READING | WRITING
    assert {t.name for t in tools if t.annotations and t.annotations.read_only_hint} == READING
    (row,) = found["verdicts"]
    assert (row["id"], found["more"]) == (low, False)
    assert row["link"].endswith(f"/ui/evaluations/{low}")
    assert explained["qa_evaluation"]["correctness"] == 0.9
    assert "attempt" not in explained
    assert "daily-quality" in named["queries"]
    assert [row["answers"] for row in rows["rows"]] == [1]
    assert all("prompt_tokens" in row for row in costs["rows"])
    assert costs["rows"]
    assert changed["changed"] == "too few answers to tell"
    assert docs["sections"]


async def test_an_agent_is_shown_the_newest_days(api):
    for day in range(MAX_ITEMS + 1):
        await put(api, at=NOON + dt.timedelta(days=day))
    days = {"since": "2026-03-01", "until": "2026-03-31"}
    async with agent(api) as client:
        found = await call(client, "query_analytics", name="daily-quality", **days)

    assert [found["rows"][n]["day"] for n in (0, -1)] == ["2026-03-22", "2026-03-03"]
    assert (len(found["rows"]), found["more"]) == (MAX_ITEMS, True)


async def test_an_agent_asks_and_judges(api):
    await import_notes(api)
    dataset = (await stored(api, await chunk_ids(api)))["id"]
    async with agent(api) as client:
        asked = await call(client, "ask", question="PCR 변성은 몇 도에서 하나요?", wait=0)
        judged = await call(
            *(client, "judge"),
            question="몇 도?",
            answer="95도입니다.",
            notes=["변성은 95도에서 한다."],
            wait=0,
        )
        run = await call(client, "start_run", dataset_id=dataset, answer_model="offline:extractive")
    begun = (await api.client.get(f"/evaluation/runs/{run['id']}")).json()

    assert (begun["evaluation_type"], begun["answer_model"]) == ("full_rag", "offline:extractive")
    assert "95도" in asked["answer"]
    assert (asked["verdict"]["status"], judged["status"]) == ("queued", "queued")


async def test_an_agent_reads_what_went_wrong_and_what_to_do():
    errors = [{"at": "a", "message": "is no number"}, {"at": "b", "message": "is missing"}]
    problem = {"detail": "Not valid: a is no number", "status": 422, "errors": errors}

    def answer(request: httpx.Request) -> httpx.Response:
        if request.url.path == "/wrong":
            return httpx.Response(422, json=problem)
        raise httpx.ConnectError("refused")

    async with httpx.AsyncClient(
        base_url="http://qa.example", transport=httpx.MockTransport(answer)
    ) as http:
        calls = ApiCalls(lambda _: http)
        context = Context(mcp_server=None)
        with pytest.raises(ToolError, match=r"^Not valid: a is no number\n  b: is missing$"):
            await calls.get(context, "/wrong")
        with pytest.raises(
            ToolError, match=r"^http://qa\.example cannot be reached .*SEARCHQA_URL"
        ):
            await calls.get(context, "/")


async def test_a_tool_has_the_rights_of_its_token(api):
    theirs = await put(api, correctness=0.2)
    dataset = (await stored(api, await chunk_ids(api)))["id"]
    run = await started(api, dataset)
    reader = (await api.as_token(scopes=["read"])).headers["Authorization"].split()[1]
    stranger = (await api.as_token(workspace="other")).headers["Authorization"].split()[1]
    async with agent(api, reader) as client:
        for tool, given in (
            ("ask", {"question": "몇 도?"}),
            ("judge", {"question": "몇 도?", "answer": "95도", "notes": ["95도"]}),
            ("start_run", {"dataset_id": dataset}),
        ):
            assert "scope" in await refused(client, tool, **given)
        assert (await call(client, "find_verdicts"))["verdicts"]
    async with agent(api, stranger) as client:
        assert (await call(client, "find_verdicts"))["verdicts"] == []
        assert "evaluation" in await refused(client, "explain_verdict", evaluation_id=str(theirs))
        for tool, given in (
            ("start_run", {"dataset_id": dataset}),
            ("compare_runs", {"baseline": run, "other": run}),
        ):
            assert "no " in (await refused(client, tool, **given)).lower()
        assert (await call(client, "list_datasets"))["datasets"] == []
        assert "no-such" not in await refused(client, "query_analytics", name="no-such")
        for tool, given in (
            ("find_verdicts", {"limit": 1000}),
            # Nothing of it becomes a part of another path, such as that of an endless stream.
            ("query_analytics", {"name": "../qa-evaluations/events"}),
            ("explain_verdict", {"evaluation_id": "../whoami?"}),
            ("compare_runs", {"baseline": "..", "other": "x/y"}),
        ):
            assert "validation" in (await refused(client, tool, **given)).lower()


@pytest.mark.asyncio(loop_scope="function")
async def test_without_authentication_this_machine_alone_needs_no_token(world, redis_url):
    async with open_api(world, redis_url, auth=False) as api:
        await put(api)
        async with agent(api, token="") as client:
            (row,) = (await call(client, "find_verdicts"))["verdicts"]
            assert re.match(r"http://127\.0\.0\.1:\d+/ui/evaluations/", row["link"])
        stranger = await api.as_token(workspace="other")
        from_afar = httpx.ASGITransport(api.app, client=("203.0.113.9", 1))
        headers = {
            "Authorization": stranger.headers["Authorization"],
            "Accept": "application/json, text/event-stream",
        }
        asked = {"name": "find_verdicts", "arguments": {}}
        async with httpx.AsyncClient(
            transport=from_afar, base_url="http://localhost", headers=headers
        ) as afar:
            body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": asked}
            found = (await afar.post("/mcp", json=body)).json()
        assert found["result"]["structuredContent"]["verdicts"] == []


async def test_without_a_token_or_with_ten_megabytes_nothing_is_served(api):
    anonymous = await api.anonymous.post("/mcp", json={"jsonrpc": "2.0", "id": 1})
    large = await api.client.post("/mcp", content=b"x" * 10_000_000)
    foreign = await api.browser(api.client.cookies, Origin="http://evil").post("/mcp", json={})
    assert (anonymous.status_code, large.status_code, foreign.status_code) == (401, 413, 401)
    # Without sessions a stream of events would stay open and have none.
    assert (await api.client.get("/mcp")).status_code == 405
    assert "# SearchQA" in (await api.anonymous.get("/llms.txt")).text
    assert "qa_evaluations" in (await api.anonymous.get("/llms-full.txt")).text


@pytest.mark.asyncio(loop_scope="function")
async def test_ten_megabytes_or_endless_calls_end_in_words_and_hurt_nobody_else(
    world, redis_url, monkeypatch
):
    monkeypatch.setattr("app.api.rate_limits.REDIS_TIMEOUT", 2.0)  # on a busy machine
    limits = {"rate_limit": "6/hour", "rate_limit_writes": "20/hour"}
    async with open_api(world, redis_url, **limits) as api:
        other = (await api.as_token(scopes=["read"])).headers["Authorization"].split()[1]
        async with agent(api) as client:
            with pytest.raises(MCPError, match="may have 2 MB at most"):
                await client.call_tool("search_docs", {"query": "x" * 10_000_000})
            # By the limit of what a tool reads, then by that of calls.
            for _ in range(6):
                await call(client, "find_verdicts")
            assert "Too many requests" in await refused(client, "find_verdicts")
            calls = [client.call_tool("find_verdicts", {}) for _ in range(20)]
            *_, last = await asyncio.gather(*calls, return_exceptions=True)
        async with agent(api, other) as client:
            assert (await call(client, "find_verdicts"))["verdicts"] == []
    assert isinstance(last, MCPError)
    assert "Too many requests" in str(last)
    assert last.error.data["type"] == "urn:searchqa:problem:too-many-requests"


async def test_an_agent_framework_calls_the_tools(api):
    await put(api)
    headers = {"Authorization": f"Bearer {token_of(api)}"}
    # Its own client would leave connections behind.
    async with served(api) as address, httpx2.AsyncClient(headers=headers, timeout=60) as http:
        tools = McpToolSpec(BasicMCPClient(f"{address}/mcp", http_client=http))
        by_name = {tool.metadata.name: tool for tool in await tools.to_tool_list_async()}
        found = await by_name["find_verdicts"].acall(limit=1)
    assert set(by_name) == READING | WRITING
    assert "변성 온도는?" in str(found)


async def test_the_documentation_for_agents_names_what_there_is(api):
    others = {"app_version", "answer_model", "question", "undecided", "link"}
    assert set(re.findall(r"`(\w+)`", SKILL)) - others == (READING | WRITING) - {"list_datasets"}
    (table,) = re.findall(r"\| Tool \| Gives \|\n(.*?)\n\n", PAGES["mcp.md"], re.DOTALL)
    named = {name for row in table.splitlines() for name in re.findall(r"`(\w+)`", row[1:50])}
    assert named == READING | WRITING
    index = (await api.anonymous.get("/llms.txt")).text
    full = (await api.anonymous.get("/llms-full.txt")).text
    for name, written in PAGES.items():
        assert f"(docs/{name}): " in index
        assert written in full


async def test_the_command_serves_the_same_over_stdio(api):
    low = await put(api, correctness=0.2)
    async with served(api) as address:
        environment = {**os.environ, "SEARCHQA_URL": address, "SEARCHQA_TOKEN": token_of(api)}
        run = "from app.cli import main; main()"
        server = StdioServerParameters(
            command=sys.executable, args=["-c", run, "mcp"], env=environment
        )
        async with Client(server) as client:
            large = {"question": "몇 도?", "answer": "x" * 10_000_000, "notes": ["95도"]}
            assert "2 MB at most" in await refused(client, "judge", **large)
            (row,) = (await call(client, "find_verdicts"))["verdicts"]
    assert row["link"] == f"{address}/ui/evaluations/{low}"
