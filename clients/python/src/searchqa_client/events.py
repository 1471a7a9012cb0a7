"""What streams give, as objects. A name that this client does not know becomes an OtherEvent."""

from __future__ import annotations

import uuid
from typing import Any, Literal

from pydantic import TypeAdapter, ValidationError

from searchqa_client.errors import UnexpectedReply, problem_of_document
from searchqa_client.models import (
    FeedbackView,
    MatchedNote,
    QualityResultView,
    SearchQAEvaluationView,
    Status,
)
from searchqa_client.reply import Reply
from searchqa_client.sse import ServerEvent

FINAL_STATUSES = frozenset({"succeeded", "failed", "skipped"})


class Event(Reply):
    """event_id: where to resume behind this event; None when the next one shares its place."""

    event_id: str | None = None


class Started(Event):
    """The first of an answer's stream: the notes it is given from. answer_id finds its verdict,
    by `evaluations.list(answer_id=…)`, should the stream be lost."""

    answer_id: uuid.UUID
    matched_notes: list[MatchedNote]
    lang: str


class Chunk(Event):
    """A piece of the answer."""

    text: str


class Done(Event):
    """The answer is complete; its verdict follows."""


class State(Event):
    """Where a verdict stands. `not_stored`: the database did not take the answer, there will be no
    verdict, and the ids are None."""

    id: uuid.UUID | None
    answer_id: uuid.UUID | None
    status: Status | Literal["not_stored"]
    reason: str | None
    error: str | None

    @property
    def final(self) -> bool:
        return self.status in FINAL_STATUSES or self.status == "not_stored"


class _Result(Event):
    evaluation_id: uuid.UUID
    degraded: bool
    judged_by: Literal["model", "local", "rules"] | str | None
    provider: str | None
    model: str | None


class Quality(QualityResultView, _Result):
    """The checklist."""


class Verdict(SearchQAEvaluationView, _Result):
    """Correctness, utility, cited notes and grounding issues."""


class Feedback(FeedbackView, _Result):
    """The four phases."""


class OtherEvent(Event):
    name: str
    data: dict[str, Any]


_BY_NAME: dict[str, type[Event]] = {
    "metadata": Started,
    "evaluation": State,
    "quality": Quality,
    "qa_evaluation": Verdict,
    "feedback": Feedback,
}


_OBJECT = TypeAdapter(dict[str, Any])


def event_of(raw: ServerEvent) -> Event:
    """Raises the problem of `event: error`, and UnexpectedReply for what cannot be read."""
    if raw.name == "message" and raw.data == "[DONE]":
        return Done(event_id=raw.id)
    try:
        data = _OBJECT.validate_json(raw.data)
        if raw.name == "error":
            raise problem_of_document(data)
        if raw.name == "message" and "chunk" in data:
            return Chunk.model_validate({"text": data["chunk"], "event_id": raw.id})
        if kind := _BY_NAME.get(raw.name):
            return kind.model_validate(data | {"event_id": raw.id})
        return OtherEvent(name=raw.name, data=data, event_id=raw.id)
    except ValidationError as error:
        raise UnexpectedReply(
            f"The server sent an event `{raw.name}` that this client cannot read"
            f" ({str(error).splitlines()[0]}); bring server and searchqa-client to releases of the"
            " same time."
        ) from None
