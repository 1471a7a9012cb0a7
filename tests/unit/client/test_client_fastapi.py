"""Real applications of FastAPI, called as a server calls them."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Annotated, Any

import httpx
import pytest
from anyio.to_thread import current_default_thread_limiter
from fastapi import BackgroundTasks, Depends, FastAPI, HTTPException
from fastapi.responses import PlainTextResponse, StreamingResponse
from searchqa_client import propagate_attributes
from searchqa_client._collecting import default_background
from searchqa_client.fastapi import Judge, Judging

from cases import TIMEOUT_SECONDS
from scripted_http import RecordedBackground

QUESTION = "PCR 변성은 몇 도에서 하나요?"
ANSWER = "95도에서 합니다."
NOTES = ["변성은 95도에서 30초 동안 한다."]
TRACEPARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


@pytest.fixture
def app(background: RecordedBackground) -> FastAPI:
    judging = Judging(background)
    app = FastAPI(lifespan=judging.lifespan)
    JudgeDep = Annotated[Judge, Depends(judging)]  # noqa: N806  a type

    @app.get("/coroutine")
    async def coroutine(judge: JudgeDep) -> str:
        judge.submit(QUESTION, ANSWER, NOTES, model="tiny", feature="search_qa")
        return ANSWER

    @app.get("/function")
    def function(judge: JudgeDep) -> PlainTextResponse:
        judge.submit(QUESTION, ANSWER, NOTES)
        return PlainTextResponse(ANSWER)

    @app.get("/async-stream")
    async def async_stream(judge: JudgeDep) -> StreamingResponse:
        async def parts() -> AsyncIterator[str]:
            for part in ANSWER:
                yield part
            judge.submit(QUESTION, ANSWER, NOTES)

        return StreamingResponse(parts())

    @app.get("/stream")
    def stream(judge: JudgeDep) -> StreamingResponse:
        def parts() -> Iterator[str]:
            yield from ANSWER
            judge.submit(QUESTION, ANSWER, NOTES)

        return StreamingResponse(parts())

    @app.get("/fails")
    async def fails(judge: JudgeDep) -> str:
        judge.submit(QUESTION, ANSWER, NOTES)
        raise HTTPException(500, "no")

    @app.get("/two")
    async def two(judge: JudgeDep) -> None:
        judge.submit("one", ANSWER)
        judge.submit("two", ANSWER)

    return app


@pytest.fixture
async def client(app: FastAPI) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
        yield client


@pytest.mark.parametrize("path", ["coroutine", "function", "async-stream", "stream"])
async def test_it_is_submitted_after_the_response(app, background, path):
    submitted_at: list[int] = []

    async def receive() -> dict[str, Any]:
        """The client stays until the end."""
        return await asyncio.get_running_loop().create_future()

    async def send(message: dict[str, Any]) -> None:
        if message["type"] == "http.response.body" and not message.get("more_body"):
            submitted_at.append(len(background.submitted))

    scope = {"type": "http", "method": "GET", "path": f"/{path}"}
    await app(scope | {"headers": [], "query_string": b""}, receive, send)

    assert submitted_at == [0]
    found = background.only
    assert (found.question, found.answer, found.notes) == (QUESTION, ANSWER, NOTES)


async def test_options_and_the_trace_of_the_request_go_along(client, background):
    with propagate_attributes(user_ref="kim"):
        await client.get("/coroutine", headers={"traceparent": TRACEPARENT})

    assert background.only.options == {
        "model": "tiny",
        "feature": "search_qa",
        "traceparent": TRACEPARENT,
        "attributes": {"user_ref": "kim"},
    }


async def test_a_request_that_fails_submits_nothing(client, background):
    assert (await client.get("/fails")).status_code == 500

    assert background.submitted == []


async def test_notes_are_read_at_the_call(background):
    tasks = BackgroundTasks()
    notes = [*NOTES]
    Judge(background, tasks, None).submit(QUESTION, ANSWER, notes)
    notes.clear()
    await tasks()

    assert background.only.notes == NOTES


async def test_several_answers_of_a_request(client, background):
    await client.get("/two")

    assert [one.question for one in background.submitted] == ["one", "two"]


async def test_the_end_of_the_application_flushes(app, background):
    async with app.router.lifespan_context(app):
        assert not background.flushed

    assert background.flushed


async def test_a_lifespan_of_ones_own_may_hold_it(background):
    judging = Judging(background)
    steps = []

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        steps.append("begins")
        async with judging.lifespan(app):
            yield
        steps.append(f"flushed: {background.flushed}")

    app = FastAPI(lifespan=lifespan)
    async with app.router.lifespan_context(app):
        pass

    assert steps == ["begins", "flushed: True"]


async def test_the_dependency_is_not_part_of_the_interface(app):
    document = app.openapi()

    assert "parameters" not in document["paths"]["/coroutine"]["get"]


def test_who_is_given_no_background_shares_one(monkeypatch):
    monkeypatch.setenv("SEARCHQA_URL", "http://127.0.0.1:9")
    default_background.cache_clear()

    assert Judging().background is Judging().background is default_background()
    default_background.cache_clear()


async def test_a_busy_thread_pool_does_not_hold_up_a_request(client, background):
    threads = current_default_thread_limiter()
    busy = [object() for _ in range(int(threads.available_tokens))]
    for one in busy:
        threads.acquire_on_behalf_of_nowait(one)
    try:
        await asyncio.wait_for(client.get("/coroutine"), TIMEOUT_SECONDS)
    finally:
        for one in busy:
            threads.release_on_behalf_of(one)

    assert background.only.answer == ANSWER
