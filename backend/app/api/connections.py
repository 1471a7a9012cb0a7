"""Connections to the API: how long one may stay silent, and which is closed when they are too many.

uvicorn waits for ever for the head and the body of a request. Here both have to arrive in time,
and a connection that has never sent a valid token and keeps silent makes room for newer ones.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

import h11
from starlette.requests import Request
from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from app.api.client_address import is_trusted, network_of, parse_address
from app.platform.processes.system import allow_open_files
from app.platform.setting_types import Network
from app.platform.settings import Settings

# PostgreSQL, Redis, and what libraries hold open.
OTHER_OPEN_FILES = 512

_CLOSING = "closing"
_END = b"Content-Length: 0\r\nConnection: close\r\n\r\n"
_TIMED_OUT = b"HTTP/1.1 408 Request Timeout\r\n" + _END
_BUSY = b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\n" + _END
# What a refused client still sends is read for so long: else the kernel resets its connection, and
# the refusal is lost.
_DISCARD_SECONDS = 2.0
# Times the connections that a process may have, with those that get 503.
_LINGERING = 1.25


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """`per_address` counts the connections without a valid token of one client; `exempt` are
    proxies, whose clients share an address.

    silent_seconds: how long one that is too many may wait for its client before it is closed.
    head_seconds: from the accept, or the end of the last response, to the end of the next head.
    body_seconds: in each such period a body that is not complete brings `body_bytes`.
    write_seconds: how long a client may read nothing of a response that has been made; one with a
    valid token has all the time while it is being made, as streams are.
    """

    total: int
    per_address: int
    exempt: frozenset[Network] = frozenset()
    silent_seconds: float = 1
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
    age. Where they are too many, the oldest that keeps silent is closed: who has a token sends it
    at once. Requests that are being answered are left alone, and when the process is full of them a
    new connection gets 503."""

    def __init__(self, limits: ConnectionLimits) -> None:
        self.limits = limits
        self._count = 0
        self._unauthenticated: OrderedDict[GuardedProtocol, str | None] = OrderedDict()
        self._by_address: dict[str, OrderedDict[GuardedProtocol, None]] = {}
        self._trimming: set[str] = set()

    def enter(self, connection: "GuardedProtocol") -> None:
        self._count += 1
        address = self._limited_address(connection)
        self._unauthenticated[connection] = address
        if address is not None:
            self._by_address.setdefault(address, OrderedDict())[connection] = None
            self._trim(address, connection.loop)
        if self._count <= self.limits.total:
            return
        others = [each for each in self._unauthenticated if each is not connection]
        silent = self._silent(others) or next((each for each in others if each.has_no_head), None)
        if silent is not None:
            self._close(silent)
        elif self._count <= self.limits.total * _LINGERING:
            self._remove(connection)
            connection.refuse()
        else:
            self._close(connection)

    def _trim(self, address: str, loop: asyncio.AbstractEventLoop) -> None:
        """Closes what is too many of an address, now or once it has been silent for long enough."""
        while len(same := self._by_address.get(address, ())) > self.limits.per_address:
            silent = self._silent(same)
            if silent is None:
                if address not in self._trimming:
                    self._trimming.add(address)
                    loop.call_later(self.limits.silent_seconds, self._trim_again, address, loop)
                return
            self._close(silent)

    def _trim_again(self, address: str, loop: asyncio.AbstractEventLoop) -> None:
        self._trimming.discard(address)
        self._trim(address, loop)

    def _silent(self, connections: "Iterable[GuardedProtocol]") -> "GuardedProtocol | None":
        seconds = self.limits.silent_seconds
        return next((each for each in connections if each.silent_for >= seconds), None)

    def mark_authenticated(self, connection: "GuardedProtocol") -> None:
        """It has sent a valid token, and stays."""
        self._remove(connection)

    def leave(self, connection: "GuardedProtocol") -> None:
        self._remove(connection)
        self._count -= 1

    def _close(self, connection: "GuardedProtocol") -> None:
        self._remove(connection)
        connection.cut()

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
        self._refused = False
        # Since when the client has to go on; None while a request is answered.
        self._silent_since: float | None = None

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
        if self._refused:
            return
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
        self._silent_since = self.loop.time()
        self._time_stall(running=not self._has_token)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._silent_since = None
        self._time_stall(running=False)

    def mark_authenticated(self) -> None:
        """The connection has sent a valid token."""
        self._has_token = True
        self._time_stall(running=False)
        self.table.mark_authenticated(self)

    @property
    def has_no_head(self) -> bool:
        return self._waiting_for is h11.IDLE

    @property
    def silent_for(self) -> float:
        """Seconds since it became the client's turn, to send or to read; 0 while it is ours."""
        return 0.0 if self._silent_since is None else self.loop.time() - self._silent_since

    def cut(self) -> None:
        """Closes a connection that its client keeps silent, with a reply where it waits for one."""
        if self._waiting_for is h11.SEND_BODY and not self.cycle.response_started:
            self.refuse()
        elif self.transport.get_write_buffer_size():
            self.transport.abort()
        else:
            self.transport.close()

    def refuse(self) -> None:
        """Sends 503, and closes the connection without a reset, by which it
        would lose the reply."""
        self._refused = True
        if self.cycle is not None:
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        self.transport.write(_BUSY)
        if self.transport.can_write_eof():
            self.transport.write_eof()
        self._time(_DISCARD_SECONDS, self.transport.abort)

    def _wait(self) -> None:
        """Times what the client has to do next, from when it became its turn."""
        if self._refused:
            return
        limits = self.table.limits
        state = _CLOSING if self.transport.is_closing() else self.conn.their_state
        if state is self._waiting_for:
            return
        self._waiting_for = state
        client_is_next = state in (h11.IDLE, h11.SEND_BODY)
        self._silent_since = self.loop.time() if client_is_next else None
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
