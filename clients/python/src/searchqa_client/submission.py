"""The request that has an answer judged."""

from __future__ import annotations

import re
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from searchqa_client.attributes import current_attributes
from searchqa_client.requests import Request, json_body

_PATH, _GATE = "/qa-evaluations", "/ai/gate"
_TRACEPARENT = re.compile(r"[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}")
_KEY = re.compile(r"[!-~]{1,200}")


# What the server reads of a dialogue: its last turns, and characters of a text.
MAX_TURNS, MAX_TURN_CHARS = 10, 1_000


def turns_of(history: Sequence[tuple[str, str]]) -> list[dict[str, str]]:
    """The last turns as the server takes them; further ones and what is too long are left out."""

    def cut(text: str) -> str:
        return text.replace("\0", "")[:MAX_TURN_CHARS]

    last = list(history)[-MAX_TURNS:]
    return [{"question": cut(question), "answer": cut(answer)} for question, answer in last]


@dataclass(frozen=True, slots=True)
class Submission:
    """An answer and what belongs to it. notes: (title, content) each. What is None is left to the
    server. history: (question, answer) of each turn before, the oldest first; None for those of the
    session. idempotency_key: with it the same answer is judged once, however often it is sent.
    attributes: by default those of this moment. within: seconds for a verdict at once."""

    question: str
    answer: str
    notes: Sequence[tuple[str, str]]
    lang: str | None = None
    feature: str | None = None
    model: str | None = None
    profile: str | None = None
    slots: Mapping[str, object] | None = None
    history: Sequence[tuple[str, str]] | None = None
    idempotency_key: str | None = None
    traceparent: str | None = None
    attributes: Mapping[str, object] = field(default_factory=current_attributes)
    within: float | None = None

    def request(self) -> Request:
        """Raises ValueError for a key, TypeError for slots that no request can carry. Each call
        makes a key of its own where none is given: to repeat a request, keep it."""
        key = self.idempotency_key or uuid.uuid4().hex
        if not _KEY.fullmatch(key):
            raise ValueError(
                "An idempotency_key has 1 to 200 visible ASCII characters; send another."
            )
        headers = {"Idempotency-Key": key}
        # One that is not valid is ignored, as W3C Trace Context wants.
        if self.traceparent and _TRACEPARENT.fullmatch(self.traceparent):
            headers["traceparent"] = self.traceparent
        path = _PATH if self.within is None else _GATE
        content = json_body(self._body())
        return Request("POST", path, headers=headers, content=content, timeout=self.within)

    def _body(self) -> dict[str, object]:
        optional = {
            "lang": self.lang,
            "feature": self.feature,
            "model": self.model,
            "profile": self.profile,
            "slots": self.slots and dict(self.slots),
            "within": self.within,
            "history": None if self.history is None else turns_of(self.history),
        }
        return {
            "question": self.question,
            "answer": self.answer,
            "sources": [{"title": title, "content": content} for title, content in self.notes],
            **self.attributes,
        } | {name: value for name, value in optional.items() if value is not None}
