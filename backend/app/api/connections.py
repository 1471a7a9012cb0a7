"""Connections to the API: how long one may stay silent, and which is closed when they are too many.

uvicorn waits for ever for the head and the body of a request. Here both have to arrive in time,
and a connection that has never sent a valid token makes room for newer ones.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

import h11
from starlette.requests import Request
from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from app.api.client_address import is_trusted, network_of, parse_address
from app.platform.process_setup import allow_open_files
from app.platform.setting_types import Network
from app.platform.settings import Settings

# PostgreSQL, Redis, and what libraries hold open.
OTHER_OPEN_FILES = 512

_CLOSING = "closing"
_TIMED_OUT = b"HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """`per_address` counts the connections without a valid token of one client; `exempt` are
    proxies, whose clients share an address.

    head_seconds: from the accept, or the end of the last response, to the end of the next head.
    body_seconds: in each such period a body that is not complete brings `body_bytes`.
    write_seconds: how long a client may read nothing of a response that has been made; one with a
    valid token has all the time while it is being made, as streams are.
    """

    total: int
    per_address: int
    exempt: frozenset[Network] = frozenset()
    head_seconds: float = 10
    body_seconds: float = 10
    body_bytes: int = 10 * 1024
    write_seconds: float = 20

    @classmethod
    def from_settings(cls, settings: Settings) -> "ConnectionLimits":
        """Raises this process's limit of open files. A request may need a second one, for the
        model that answers it."""
        wanted = settings.api.max_connections
        files = allow_open_files(2 * wanted + OTHER_OPEN_FILES)
        room = max((files - OTHER_OPEN_FILES) // 2, files // 4)
        return cls(
            total=min(wanted, room),
            per_address=settings.api.connections_per_address,
            exempt=settings.api.trusted_proxies,
        )


class ConnectionTable:
    """The open connections of this process. Those without a valid token so far are in order of
    age, and the oldest is closed when a new one is too many: who has a token sends it at once."""

    def __init__(self, limits: ConnectionLimits) -> None:
        self.limits = limits
        self._count = 0
        self._unauthenticated: OrderedDict[GuardedProtocol, str | None] = OrderedDict()
        self._by_address: dict[str, OrderedDict[GuardedProtocol, None]] = {}

    def enter(self, connection: "GuardedProtocol") -> None:
        self._count += 1
        address = self._limited_address(connection)
        self._unauthenticated[connection] = address
        if address is not None:
            same = self._by_address.setdefault(address, OrderedDict())
            same[connection] = None
            if len(same) > self.limits.per_address:
                self._close(next(iter(same)))
        if self._count > self.limits.total and self._unauthenticated:
            self._close(next(iter(self._unauthenticated)))

    def mark_authenticated(self, connection: "GuardedProtocol") -> None:
        """It has sent a valid token, and stays."""
        self._remove(connection)

    def leave(self, connection: "GuardedProtocol") -> None:
        self._remove(connection)
        self._count -= 1

    def _close(self, connection: "GuardedProtocol") -> None:
        self._remove(connection)
        connection.transport.abort()

    def _remove(self, connection: "GuardedProtocol") -> None:
        if connection not in self._unauthenticated:
            return
        address = self._unauthenticated.pop(connection)
        if address is not None:
            same = self._by_address[address]
            del same[connection]
            if not same:
                del self._by_address[address]

    def _limited_address(self, connection: "GuardedProtocol") -> str | None:
        address = parse_address(connection.client[0]) if connection.client else None
        if address is None or is_trusted(address, self.limits.exempt):
            return None
        return network_of(address)


class GuardedProtocol(H11Protocol):
    """HTTP/1.1 as uvicorn speaks it, with timeouts and a place in `table`. Requests find it as
    `request.state.connection`. Nothing is timed while a request that has arrived is answered, so
    streams stay open for as long as both sides like."""

    table: ClassVar[ConnectionTable]

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state | {"connection": self}, _loop)
        self._waiting_for: object = None
        self._timer: asyncio.TimerHandle | None = None
        self._stall_timer: asyncio.TimerHandle | None = None
        self._received = 0
        self._has_token = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn's
        super().connection_made(transport)
        self._wait()
        self.table.enter(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self._waiting_for = _CLOSING
        self._time(None)
        self._time_stall(running=False)
        self.table.leave(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        self._received += len(data)
        super().data_received(data)
        self._wait()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._wait()

    def timeout_keep_alive_handler(self) -> None:
        super().timeout_keep_alive_handler()
        self._wait()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._time_stall(running=not self._has_token)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._time_stall(running=False)

    def mark_authenticated(self) -> None:
        """The connection has sent a valid token."""
        self._has_token = True
        self._time_stall(running=False)
        self.table.mark_authenticated(self)

    def _wait(self) -> None:
        """Times what the client has to do next, from when it became its turn."""
        limits = self.table.limits
        state = _CLOSING if self.transport.is_closing() else self.conn.their_state
        if state is self._waiting_for:
            return
        self._waiting_for = state
        if state in (_CLOSING, h11.IDLE):
            self._check_sent(2**63)
        elif state is h11.SEND_BODY:
            self._received = 0
            self._time(limits.body_seconds, self._check_body)
        else:
            self._time(None)

    def _check_sent(self, unsent_before: int) -> None:
        """Ends a connection from which no head comes, or that is closed, once the client has read
        what there was for it or does not read on."""
        limits, unsent = self.table.limits, self.transport.get_write_buffer_size()
        if unsent >= unsent_before or unsent_before == 0:
            self.transport.abort()
        else:
            seconds = limits.write_seconds if unsent else limits.head_seconds
            self._time(seconds, partial(self._check_sent, unsent))

    def _check_body(self) -> None:
        """Closes the connection if too little came, unless reading was paused here."""
        if self._received >= self.table.limits.body_bytes or self.flow.read_paused:
            self._received = 0
            self._time(self.table.limits.body_seconds, self._check_body)
            return
        if not self.cycle.response_started:
            self.transport.write(_TIMED_OUT)
        self.transport.close()
        self._wait()

    def _time(self, seconds: float | None, then: Callable[[], None] = lambda: None) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None if seconds is None else self.loop.call_later(seconds, then)

    def _time_stall(self, *, running: bool) -> None:
        if self._stall_timer is not None:
            self._stall_timer.cancel()
            self._stall_timer = None
        if running:
            unsent = self.transport.get_write_buffer_size()
            self._stall_timer = self.loop.call_later(
                self.table.limits.write_seconds, self._check_stall, unsent
            )

    def _check_stall(self, unsent_before: int) -> None:
        if self.transport.get_write_buffer_size() >= unsent_before:
            self.transport.abort()
        else:
            self._time_stall(running=True)


def guarded(limits: ConnectionLimits) -> type[GuardedProtocol]:
    """The protocol for one server."""
    return type("_Guarded", (GuardedProtocol,), {"table": ConnectionTable(limits)})


def mark_authenticated(request: Request) -> None:
    """The request's token is valid; its connection is kept before those without one."""
    connection: GuardedProtocol | None = getattr(request.state, "connection", None)
    if connection is not None:
        connection.mark_authenticated()
