"""Sessions of routes: committed before the response is sent, and closed by then."""

import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from types import SimpleNamespace

import httpx
import pytest
from fastapi import FastAPI
from sqlalchemy.exc import InternalError
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.api.auth import current_principal
from app.api.services import get_services
from app.api.sessions import AdminAccess, ReadAccess, StepwiseAccess, WriteAccess
from app.platform.errors import NotFound
from app.workspaces.service import Principal
from app.workspaces.tokens import Scope as TokenScope
from cases import for_each

WORKSPACE = uuid.uuid4()


class FakeSession:
    def __init__(self, log: list[str]) -> None:
        self._log = log
        self.fails = False
        self.is_lost = False

    async def close(self) -> None:
        self._log.append("closed")
        if self.is_lost:
            raise InternalError("ROLLBACK", {}, Exception("idle for too long"))

    @asynccontextmanager
    async def begin(self) -> AsyncIterator[None]:
        try:
            yield
        except BaseException:
            self._log.append("rolled back")
            raise
        if self.fails:
            raise OSError("the commit failed")
        self._log.append("committed")


class Logged:
    """ASGI middleware that logs when a response starts."""

    def __init__(self, app: ASGIApp, log: list[str]) -> None:
        self._app = app
        self._log = log

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def logged(message: Message) -> None:
            if message["type"] == "http.response.start":
                self._log.append(str(message["status"]))
            await send(message)

        await self._app(scope, receive, logged)


class Api:
    """One route for each kind of access, and what has happened in order."""

    def __init__(self, scopes: frozenset[TokenScope]) -> None:
        self.log: list[str] = []
        self.session = FakeSession(self.log)
        self.entered: list[object] = []
        app = FastAPI()
        app.dependency_overrides[current_principal] = lambda: Principal(WORKSPACE, None, scopes)
        app.dependency_overrides[get_services] = lambda: SimpleNamespace(sessions=self._open)

        @app.get("/read")
        async def read(access: ReadAccess) -> str:
            return self._work(access.workspace_id)

        @app.post("/write")
        async def write(access: WriteAccess) -> str:
            return self._work(access.workspace_id)

        @app.post("/administer")
        async def administer(access: AdminAccess) -> str:
            return self._work(access.workspace_id)

        @app.post("/stepwise")
        async def stepwise(access: StepwiseAccess) -> str:
            return self._work(access.workspace_id)

        @app.post("/refuse")
        async def refuse(access: WriteAccess) -> str:
            raise NotFound("There is no such thing.", ko="없습니다.")

        self._transport = httpx.ASGITransport(Logged(app, self.log), raise_app_exceptions=False)

    def _open(self, *, info: dict[str, object]) -> FakeSession:
        self.entered.append(info["workspace_id"])
        return self.session

    def _work(self, workspace_id: uuid.UUID) -> str:
        assert self.entered == [workspace_id]
        self.log.append("work")
        return "done"

    async def call(self, method: str, path: str) -> httpx.Response:
        async with httpx.AsyncClient(transport=self._transport, base_url="http://test") as client:
            return await client.request(method, path)


@pytest.fixture
def api() -> Api:
    return Api(frozenset(TokenScope))


@pytest.mark.parametrize("path", ["/write", "/administer"])
async def test_a_change_is_committed_before_its_response_is_sent(api, path):
    await api.call("POST", path)

    assert api.log == ["work", "committed", "closed", "200"]
    assert api.entered == [WORKSPACE]


@pytest.mark.parametrize(("method", "path"), [("GET", "/read"), ("POST", "/stepwise")])
async def test_no_session_is_held_while_a_client_reads(api, method, path):
    await api.call(method, path)

    assert api.log == ["work", "closed", "200"], "a stepwise route commits by itself"


async def test_what_was_read_is_sent_though_the_server_has_ended_the_connection(api):
    api.session.is_lost = True

    assert (await api.call("GET", "/read")).json() == "done"


async def test_a_failed_commit_is_not_reported_as_done(api):
    api.session.fails = True

    assert (await api.call("POST", "/write")).status_code == 500
    assert api.log == ["work", "closed", "500"]


async def test_a_route_that_refuses_changes_nothing(api):
    await api.call("POST", "/refuse")

    assert api.log[:2] == ["rolled back", "closed"]


@for_each(
    ("method", "path"),
    [("GET", "/read"), ("POST", "/write"), ("POST", "/administer"), ("POST", "/stepwise")],
)
async def test_no_route_gets_a_session_without_its_scope(method, path):
    api = Api(frozenset({TokenScope.OPERATOR}))

    await api.call(method, path)

    assert "work" not in api.log
