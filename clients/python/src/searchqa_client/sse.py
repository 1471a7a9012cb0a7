"""Server-sent events, as the HTML standard has them parsed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import httpx

from searchqa_client.errors import UnexpectedReply

_BOM = b"\xef\xbb\xbf"
# The longest event of a server is a verdict with its quotes; far beyond that it is no event.
_MAX_EVENT_BYTES = 32 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class ServerEvent:
    """name: `message` when the server gave none. id: None unless this event has one of its own."""

    name: str
    data: str
    id: str | None = None


def check_is_event_stream(response: httpx.Response) -> None:
    """Raises UnexpectedReply when something else came."""
    kind = response.headers.get("content-type", "")
    if not kind.startswith("text/event-stream"):
        raise UnexpectedReply(
            f"{response.url.copy_with(query=None)} answered {kind or 'nothing'} in place of events;"
            " check that SEARCHQA_URL names a SearchQA server."
        )


class SSEParser:
    """Takes the bytes of one connection in pieces that may split lines, line ends and characters.

    What comes after the last blank line is an incomplete event, and never given. Raises
    UnexpectedReply for an event without end.
    """

    def __init__(self) -> None:
        self._rest: list[bytes] = []
        self._size = 0
        self._at_start = True
        self._after_cr = False
        self._name = ""
        self._data: list[str] = []
        self._id: str | None = None

    def feed(self, piece: bytes) -> Iterator[ServerEvent]:
        for line in self._lines(piece):
            if line:
                self._take(line)
                continue
            if self._data:
                yield ServerEvent(self._name or "message", "\n".join(self._data), self._id)
            self._name, self._data, self._id, self._size = "", [], None, 0

    def _take(self, line: str) -> None:
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "data":
            self._data.append(value)
        elif name == "event":
            self._name = value
        elif name == "id" and "\0" not in value:
            self._id = value

    def _lines(self, piece: bytes) -> Iterator[str]:
        """Complete lines, ended by LF, CR or CRLF."""
        self._size += len(piece)
        if self._size > _MAX_EVENT_BYTES:
            raise UnexpectedReply("The server sends an event without end; check SEARCHQA_URL.")
        if self._after_cr and piece:
            piece = piece.removeprefix(b"\n")
            self._after_cr = False
        self._rest.append(piece)
        if b"\n" not in piece and b"\r" not in piece:
            return
        text = b"".join(self._rest)
        self._after_cr = text.endswith(b"\r")
        lines = text.splitlines(keepends=True)
        self._rest = [] if lines[-1].endswith((b"\n", b"\r")) else [lines.pop()]
        if self._at_start:
            lines[0] = lines[0].removeprefix(_BOM)
            self._at_start = False
        for line in lines:
            yield line.rstrip(b"\r\n").decode("utf-8", "replace")
