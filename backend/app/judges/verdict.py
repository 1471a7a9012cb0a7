"""What a verdict on one answer holds, whichever prompt it comes from."""

from collections.abc import Iterator, Sequence
from typing import Literal

from pydantic import BaseModel, Field

from app.judges.answer import Extent

HIGH_CORRECTNESS = 0.8
HIGH_UTILITY = 0.7
MEDIUM_CORRECTNESS = 0.5
# A verdict at least this correct with issues, or below MEDIUM_CORRECTNESS without any,
# contradicts itself.
SPOTLESS_CORRECTNESS = 0.95

# More is claimed than the judge may write down, so not every claim was judged.
CLAIMS_LIMIT = "claims_limit_reached"

Confidence = Literal["high", "medium", "low"]


class SourceCoverage(BaseModel):
    """Whether the answer used one note. `note_index` counts from 1.

    quote: the passage of the note that bears the claim, "" when the judge gave none;
    quote_found: whether the note holds that passage, checked by code, None without a quote.
    """

    note_index: int
    note_title: str
    cited: bool
    relevant_claim: str
    quote: str = ""
    quote_found: bool | None = None


class SearchQAEvaluation(BaseModel):
    """A verdict on one answer. Scores lie between 0 and 1.

    flags: doubts about the verdict itself, each a key with an optional detail:
    `score_contradicts_issues`, `quote_not_found:<note_index>`, `claims_limit_reached`,
    `confidence_lowered:<reason>`; by the one call, with the number of the sentence from 1,
    `quote_not_found:<n>`, `quote_in_other_note:<n>`, `claim_not_judged:<n>`, and `nothing_claimed`;
    and what rules could not add to it: `checklist_ended:<why>`, `phases_ended:<why>`.
    extent: how much was judged, None where it was not stored.
    """

    correctness: float
    utility: float
    confidence: Confidence
    source_coverage: list[SourceCoverage]
    grounding_issues: list[str]
    summary: str
    flags: list[str] = Field(default_factory=list)
    extent: Extent | None = None


def confidence_of(correctness: float, utility: float, *, sure: bool = True) -> Confidence:
    """high from .8 correctness with .7 utility, medium from .5 correctness, else low. sure: False
    where something was not judged or is refuted, whatever the scores: then it is never high."""
    if sure and correctness >= HIGH_CORRECTNESS and utility >= HIGH_UTILITY:
        return "high"
    return "medium" if correctness >= MEDIUM_CORRECTNESS else "low"


def score_flags(correctness: float, grounding_issues: Sequence[str]) -> Iterator[str]:
    """`score_contradicts_issues` when the score and its list of issues cannot both be right."""
    if grounding_issues and correctness >= SPOTLESS_CORRECTNESS:
        yield "score_contradicts_issues"
    if not grounding_issues and correctness < MEDIUM_CORRECTNESS:
        yield "score_contradicts_issues"
