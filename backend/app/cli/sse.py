"""Reads server-sent events from a stream of bytes."""

import codecs
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Event:
    """`event` is `message` when the server sent no name; `id` is None when it sent none."""

    event: str
    data: str
    id: str | None = None

    def json(self) -> Any:
        return json.loads(self.data)


def read_events(chunks: Iterable[bytes]) -> Iterator[Event]:
    """The events of a stream whose chunks may split a line ending or a character.

    Text after the last blank line is an incomplete event and is dropped.
    """
    fields: dict[str, str] = {}
    data: list[str] = []
    for line in _lines(chunks):
        if line:
            name, _, value = line.partition(":")
            value = value.removeprefix(" ")
            if name == "data":
                data.append(value)
            else:
                fields[name] = value
            continue
        if data:
            yield Event(fields.get("event") or "message", "\n".join(data), fields.get("id"))
        fields, data = {}, []


def _lines(chunks: Iterable[bytes]) -> Iterator[str]:
    """Complete lines, ended by LF or CRLF."""
    decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
    rest = ""
    for chunk in chunks:
        *lines, rest = (rest + decoder.decode(chunk)).split("\n")
        for line in lines:
            yield line.removesuffix("\r")
