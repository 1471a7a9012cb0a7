"""What the client does, without doing it: generators that yield what is to be sent, read or waited
for, and are sent the outcome. `transport` performs them, with and without asyncio, so that every
rule of retrying, resuming and paging is written once.

A failure of the network is thrown into the generator as a SearchQAError.
"""

from __future__ import annotations

import json
from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeAlias, TypeVar

import httpx

from searchqa_client.errors import SearchQAError, problem_of
from searchqa_client.retry import Retry

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


@dataclass(frozen=True, slots=True)
class Request:
    """repeatable: sending it twice has the effect of sending it once. timeout: seconds between two
    pieces of the answer, in place of the client's own."""

    method: str
    path: str
    params: Mapping[str, str | list[str]] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    content: bytes | None = None
    repeatable: bool = True
    timeout: float | None = None


@dataclass(frozen=True, slots=True)
class Send:
    """Answered by the response: read as a whole, or with `streamed` and success only its head."""

    request: Request
    streamed: bool = False


@dataclass(frozen=True, slots=True)
class Pause:
    seconds: float


@dataclass(frozen=True, slots=True)
class Read:
    """Answered by the next piece of the streamed response, b"" at its end."""


@dataclass(frozen=True, slots=True)
class Emit(Generic[T_co]):
    """A value for the caller."""

    value: T_co


Answer: TypeAlias = httpx.Response | bytes | None
Flow: TypeAlias = Generator[Send | Pause, Answer, T]
Stream: TypeAlias = Generator[Send | Pause | Read | Emit[T], Answer, None]


def json_body(body: object) -> bytes:
    """Raises TypeError for what JSON has no form for. Half a surrogate pair, which a cut text may
    end with, becomes a question mark."""
    return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def once(request: Request, *, streamed: bool = False) -> Flow[httpx.Response]:
    """The successful response to one try. Raises SearchQAError."""
    response = yield Send(request, streamed)
    assert isinstance(response, httpx.Response)
    if not response.is_success:
        raise problem_of(response)
    return response


def exchange(request: Request, retry: Retry, *, streamed: bool = False) -> Flow[httpx.Response]:
    """The same over as many tries as the policy allows."""
    failures = 0
    while True:
        try:
            return (yield from once(request, streamed=streamed))
        except SearchQAError as error:
            failures += 1
            pause = retry.pause_after(error, failures, repeatable=request.repeatable)
            if pause is None:
                raise
        yield Pause(pause)
