"""The state of a verdict: one word for readers of the answer."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Annotated, Literal, Self

from pydantic import BaseModel, BeforeValidator

from app.judges.answer import (
    CLAIMS_LIMIT,
    HIGH_CORRECTNESS,
    HIGH_UTILITY,
    MEDIUM_CORRECTNESS,
    Confidence,
    Outcome,
    SearchQAEvaluation,
)
from app.judges.model.reply import NOT_ANSWERED, NOT_JUDGED
from app.judges.phases.run import GOOD_ENOUGH
from app.verdicts.reading.feedback_views import ClaimView

AnswerState = Literal[
    "confirmed",
    "incomplete",
    "off_topic",
    "partly",
    "contradicted",
    "not_in_notes",
    "rightly_refused",
    "falsely_refused",
    "not_judged",
]

# Below this utility an answer is about something else than the question.
_ON_TOPIC_UTILITY = 0.5
# Flags of a verdict that leaves a part of the answer out.
LEFT_OUT = (CLAIMS_LIMIT, NOT_JUDGED, NOT_ANSWERED)


class Findings(BaseModel):
    """What the state is decided by. supported … contradicted: claims; null where none were looked
    for. issues: grounding issues; whole: all of the answer was judged."""

    outcome: Outcome | None
    correctness: float
    utility: float
    confidence: Confidence
    needs_improvement: bool | None = None
    supported: int | None = None
    partly: int | None = None
    unsupported: int | None = None
    contradicted: int | None = None
    issues: int
    whole: bool

    @classmethod
    def of(
        cls,
        evaluation: SearchQAEvaluation,
        claims: Sequence[ClaimView] | None,
        overall_score: float | None,
    ) -> Self:
        """Of a verdict that is not stored. claims: None where none were looked for."""
        extent, flags = evaluation.extent, evaluation.flags
        of = Counter(claim.verdict for claim in claims or ())
        return cls(
            outcome=evaluation.outcome,
            correctness=evaluation.correctness,
            utility=evaluation.utility,
            confidence=evaluation.confidence,
            needs_improvement=overall_score is not None and overall_score < GOOD_ENOUGH,
            supported=None if claims is None else of["supported"],
            partly=of["partly"],
            unsupported=of["unsupported"],
            contradicted=sum(claim.fault == "contradicted" for claim in claims or ()),
            issues=len(evaluation.grounding_issues),
            whole=(extent is None or extent.judged_answer_chars >= extent.answer_chars)
            and not any(flag.startswith(LEFT_OUT) for flag in flags),
        )

    @property
    def claims(self) -> int:
        return (self.supported or 0) + self.doubted

    @property
    def doubted(self) -> int:
        return (self.partly or 0) + (self.unsupported or 0)


def answer_state(found: Findings) -> AnswerState:
    """Never says `confirmed` beside a finding against the answer, nor doubts what has high
    confidence."""
    match found.outcome:
        case "rightly_refused" | "falsely_refused":
            return found.outcome
        case "undecided":
            return "not_judged"
    if _is_confirmed(found):
        return _usefulness(found)
    if found.contradicted or (found.outcome == "mismatch" and not found.doubted):
        return "contradicted"
    if found.claims:
        return "partly" if found.supported or found.partly else "not_in_notes"
    if found.supported is not None and not found.issues:
        # A judge that found no claim has compared nothing.
        return "not_judged"
    return "partly" if found.correctness >= MEDIUM_CORRECTNESS else "not_in_notes"


def _is_confirmed(found: Findings) -> bool:
    if found.outcome == "matches" or found.confidence == "high":
        return True
    if found.outcome or found.issues or not found.whole or found.confidence == "low":
        return False
    if found.supported is None:
        return found.correctness >= HIGH_CORRECTNESS
    return found.claims > 0 and found.claims == found.supported


def _usefulness(found: Findings) -> AnswerState:
    """Rules know too little of the question to call an answer useless or incomplete."""
    if found.outcome == "matches":
        return "confirmed"
    if found.utility < _ON_TOPIC_UTILITY:
        return "off_topic"
    if found.needs_improvement or found.utility < HIGH_UTILITY:
        return "incomplete"
    return "confirmed"


def _state_of(stored: object) -> object:
    """stored: `queries.FINDINGS` as PostgreSQL returns them, or a state."""
    if isinstance(stored, Mapping):
        return answer_state(Findings.model_validate(stored))
    return stored


State = Annotated[AnswerState, BeforeValidator(_state_of)]
# Null while there are no scores.
MaybeState = Annotated[AnswerState | None, BeforeValidator(_state_of)]
