"""What is sent, and how what comes back is read."""

from __future__ import annotations

import datetime as dt
import json
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import IO, TypeVar

import httpx
from pydantic import ValidationError

from searchqa_client.errors import UnexpectedReply

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Request:
    """repeatable: sending it twice has the effect of sending it once. timeout: seconds to wait for
    each part of the answer, in place of the client's own. form, files: in place of content."""

    method: str
    path: str
    params: Mapping[str, str | list[str]] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    content: bytes | None = None
    form: Mapping[str, str | list[str]] | None = None
    files: Mapping[str, tuple[str, bytes | IO[bytes]]] | None = None
    repeatable: bool = True
    timeout: float | None = None


def post(path: str, body: object, *, repeatable: bool, timeout: float | None = None) -> Request:
    """Raises TypeError for what JSON has no form for."""
    return Request("POST", path, content=json_body(body), repeatable=repeatable, timeout=timeout)


def get(path: str, **params: object) -> Request:
    """Parameters that are None are left out."""
    return Request("GET", path, params=query(params))


def query(params: Mapping[str, object]) -> dict[str, str | list[str]]:
    """A list is a parameter that is there once for each of its items."""
    return {
        name: [_text(each) for each in value] if isinstance(value, list) else _text(value)
        for name, value in params.items()
        if value is not None
    }


def json_body(body: object) -> bytes:
    """Raises TypeError for what JSON has no form for. Half a surrogate pair, which a cut text may
    end with, becomes a question mark."""
    text = json.dumps(body, ensure_ascii=False, separators=(",", ":"), default=_json_text)
    return text.encode("utf-8", "replace")


def parsed(parse: Callable[[bytes], T], response: httpx.Response) -> T:
    """Raises UnexpectedReply when something is missing that this client needs."""
    try:
        return parse(response.content)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        at = ".".join(map(str, first["loc"]))
        raise UnexpectedReply(
            f"{response.url.copy_with(query=None)} answered what this client cannot read"
            f" ({at + ': ' if at else ''}{first['msg']}); check that SEARCHQA_URL names a SearchQA"
            " server, and bring server and searchqa-client to releases of the same time."
        ) from None


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return value.isoformat() if isinstance(value, dt.datetime) else str(value)


def _json_text(value: object) -> str:
    if isinstance(value, (uuid.UUID, dt.datetime)):
        return _text(value)
    raise TypeError(f"{type(value).__name__} has no form in JSON; give text or numbers.")
