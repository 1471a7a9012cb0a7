"""What a reader token is shown of a verdict: enough for a badge beside an answer.

Readers of other applications see it, so it has no notes, no quotes from them,
no question and answer, and nothing of models, prompts, costs and errors. What the judge writes in
its own words (summary, issues, claims) may still repeat a fact of a note.
"""

import datetime as dt
import uuid
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from typing import Literal, Self

from fastapi.sse import ServerSentEvent
from pydantic import BaseModel, ConfigDict

from app.api.sse import sse
from app.judges.answer import Confidence, Extent, Fault, Outcome
from app.verdicts.reading.feedback_views import Source
from app.verdicts.reading.following import Change
from app.verdicts.reading.state import State
from app.verdicts.reading.views import EvaluationView, GuaranteeView, JudgedBy
from app.verdicts.status import Status

# Of its own: what this path answers other tokens with has more fields.
MEDIA_TYPE = "application/vnd.searchqa.reader+json"


class _Part(BaseModel):
    """Some fields of a part of an EvaluationView."""

    model_config = ConfigDict(from_attributes=True)


class ReaderEvaluation(_Part):
    correctness: float
    utility: float
    confidence: Confidence
    outcome: Outcome | None
    decided: bool
    state: State
    summary: str
    grounding_issues: list[str]
    flags: list[str]
    extent: Extent | None
    guarantee: GuaranteeView | None


class ReaderClaim(_Part):
    claim: str
    verdict: Literal["supported", "partly", "unsupported"]
    fault: Fault | None


class ReaderGroundedness(_Part):
    source: Source
    claims: list[ReaderClaim]


class ReaderFeedback(_Part):
    groundedness: ReaderGroundedness | None


class ReaderVerdict(_Part):
    """The part of an EvaluationView that a reader token shows. Its fields mean the same."""

    id: uuid.UUID
    status: Status
    reason: str | None
    degraded: bool
    judged_by: JudgedBy | None
    lang: str
    created_at: dt.datetime
    finished_at: dt.datetime | None
    next_attempt_at: dt.datetime | None
    qa_evaluation: ReaderEvaluation | None
    feedback: ReaderFeedback | None

    @classmethod
    def from_view(cls, view: EvaluationView) -> Self:
        return cls.model_validate(view)


async def reader_events(changes: AsyncGenerator[Change]) -> AsyncIterator[ServerSentEvent]:
    """Each change of the verdict as one event with all that is shown of it; ends after the final
    one."""
    async with aclosing(changes):
        async for change in changes:
            if (view := change.verdict) is None:
                continue
            shown = ReaderVerdict.from_view(view).model_dump(mode="json")
            yield sse("evaluation", shown).model_copy(update={"id": str(change.place)})
            if view.status.final:
                return
