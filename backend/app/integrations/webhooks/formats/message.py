"""What formats are given, and what they make of it."""

import datetime as dt
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from app.text.language import Lang


@dataclass(frozen=True, slots=True)
class Message:
    """An event as it is delivered to one webhook.

    data: of the event, see docs/webhooks.md. content: question, answer and claims where the
    webhook asks for them. link: of the page about it, None where the server does not know its own
    address. lang: that of people who read it. traceparent: of the answer, where it has one.
    """

    id: uuid.UUID
    event: str
    at: dt.datetime
    data: Mapping[str, Any]
    content: Mapping[str, Any] | None
    link: str | None
    lang: Lang
    traceparent: str | None = None


class Format(Protocol):
    """How messages are written, as JSON, and how the receiver says in the body of a 2xx that it
    did not take one."""

    def write(self, message: Message) -> bytes: ...

    def accepted(self, reply: str) -> bool: ...
