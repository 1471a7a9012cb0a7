"""What fails on our side is answered, and the log gets its place but not its words."""

import logging
from collections.abc import AsyncIterator

import httpx
import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from app.api.middleware import InternalErrors
from app.platform.metrics import INTERNAL_ERRORS

WORDS = "what a reader wrote"


async def _breaks(request: Request) -> Response:
    try:
        raise KeyError(WORDS)
    except KeyError as error:
        raise ExceptionGroup(WORDS, [ValueError(WORDS)]) from error


async def _breaks_off(request: Request) -> Response:
    async def pieces() -> AsyncIterator[bytes]:
        yield b"first"
        raise ValueError(WORDS)

    return StreamingResponse(pieces())


@pytest.fixture
def client() -> httpx.AsyncClient:
    routes = [Route("/breaks", _breaks), Route("/breaks-off", _breaks_off)]
    app = Starlette(routes=routes, middleware=[Middleware(InternalErrors)])
    return httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://test")


async def test_an_error_is_answered_and_its_kinds_and_places_are_logged(client, caplog):
    caplog.set_level(logging.ERROR, "app.api.middleware")

    response = await client.get("/breaks", headers={"Accept-Language": "ko"})

    assert response.status_code == 500
    assert response.json()["type"] == "urn:searchqa:problem:internal-error"
    assert "서버 내부 오류" in response.json()["detail"]
    for known in ("ExceptionGroup", "ValueError", "KeyError", "test_internal_errors.py", "_breaks"):
        assert known in caplog.text
    assert WORDS not in caplog.text + response.text


async def test_a_response_that_had_begun_gets_no_second_beginning(client, caplog):
    # A server closes the connection of a response that its application left without an end.
    with pytest.raises(AssertionError):
        await client.get("/breaks-off")

    assert "ValueError" in caplog.text
    assert WORDS not in caplog.text


async def test_a_client_that_leaves_in_mid_body_is_no_error_of_ours(caplog):
    counted = INTERNAL_ERRORS._value.get()
    sent = []

    async def reads(request: Request) -> Response:
        async for _ in request.stream():
            pass
        raise AssertionError

    async def leave() -> dict[str, object]:
        return {"type": "http.disconnect"}

    async def send(message: object) -> None:
        sent.append(message)

    app = Starlette(
        routes=[Route("/", reads, methods=["POST"])], middleware=[Middleware(InternalErrors)]
    )
    scope = {"type": "http", "method": "POST", "path": "/", "headers": [], "query_string": b""}
    await app(scope, leave, send)

    assert (sent, caplog.text) == ([], "")
    assert INTERNAL_ERRORS._value.get() == counted
