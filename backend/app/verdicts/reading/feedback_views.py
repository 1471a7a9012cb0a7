"""The four phases as readers get them."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, Self

from pydantic import BaseModel

from app.judges.answer import Fault
from app.judges.phases.citation import UNKNOWN_NOTE
from app.verdicts.lifecycle.verdict_rows import (
    CITATION_RELEVANCE,
    COMPLETENESS,
    CONTEXT_RELEVANCE,
    GROUNDEDNESS,
    NEXT_STEPS,
)

Source = Literal["judge", "rules"]
Row = Mapping[str, Any]


class _PhaseView(BaseModel):
    """`source` says who did the phase, `fallback` why rules stood in for the model."""

    source: Source
    fallback: str | None


class CitationView(BaseModel):
    """A sentence of the answer (characters `start` to `end`) that uses a note. `supported` is
    null where it cannot be told."""

    note_index: int
    start: int
    end: int
    marked: bool
    supported: bool | None
    quote: str


class CitationPhaseView(_PhaseView):
    """`context_relevance`: cited of all evidence; `citation_relevance`: the mean relevance of
    what was cited. Null when there is no evidence. `unknown_notes`: numbers that the answer
    cites and no note has."""

    context_relevance: float | None
    citation_relevance: float | None
    citations: list[CitationView]
    unknown_notes: list[int]


class NuggetView(BaseModel):
    """A piece of information that a good answer has."""

    text: str
    importance: Literal["vital", "okay"]
    support: Literal["supported", "partly", "not"]


class CompletenessPhaseView(_PhaseView):
    """Null `completeness`: nobody knows what a complete answer holds."""

    completeness: float | None
    nuggets: list[NuggetView]


class ClaimView(BaseModel):
    """A statement of the answer, its characters `start` to `end`; both null when it could not
    be found there. `note_index` and `quote` are what bears it out or says otherwise; `position`
    (from 1) names the claim where people label it. `fault`, of one that is not supported:
    `contradicted` (a note says otherwise), `not_in_notes`, `misattributed` (another note than the
    cited one says it) or `stitched` (it joins what no note joins); null on older verdicts."""

    position: int
    claim: str
    verdict: Literal["supported", "partly", "unsupported"]
    # Stored trials of before lack it.
    fault: Fault | None = None
    note_index: int | None
    quote: str
    quote_found: bool | None
    start: int | None
    end: int | None
    reasoning: str


class GroundednessPhaseView(_PhaseView):
    """Supported claims of all claims; null `groundedness`: nothing to check."""

    groundedness: float | None
    claims: list[ClaimView]


class NextStepsPhaseView(_PhaseView):
    urgency: Literal["high", "medium", "low"]
    suggested_queries: list[str]
    action_items: list[str]


class FeedbackView(BaseModel):
    """Those of the four phases that were run. `overall_score` is null when none of the first
    three had anything to check; below 0.7 the answer needs improvement."""

    overall_score: float | None
    needs_improvement: bool | None
    citation: CitationPhaseView | None
    completeness: CompletenessPhaseView | None
    groundedness: GroundednessPhaseView | None
    next_steps: NextStepsPhaseView | None

    @classmethod
    def from_row(cls, row: Row) -> Self | None:
        """None when no phase was run."""
        scores: Mapping[str, Row] = row["scores"] or {}
        if not scores.keys() & {CONTEXT_RELEVANCE, COMPLETENESS, GROUNDEDNESS, NEXT_STEPS}:
            return None
        return cls(
            overall_score=row["overall_score"],
            needs_improvement=row["needs_improvement"],
            citation=_citation(scores, row["issues"] or []),
            completeness=_completeness(scores.get(COMPLETENESS)),
            groundedness=_groundedness(scores.get(GROUNDEDNESS), row["claims"] or []),
            next_steps=_next_steps(scores.get(NEXT_STEPS)),
        )


def _made_by(score: Row) -> dict[str, Any]:
    return {"source": score["source"], "fallback": score["reasoning"]}


def _citation(scores: Mapping[str, Row], issues: Sequence[Row]) -> CitationPhaseView | None:
    score = scores.get(CONTEXT_RELEVANCE)
    if score is None:
        return None
    return CitationPhaseView(
        context_relevance=score["value"],
        citation_relevance=scores[CITATION_RELEVANCE]["value"],
        citations=score["details"],
        unknown_notes=[int(each["detail"]) for each in issues if each["kind"] == UNKNOWN_NOTE],
        **_made_by(score),
    )


def _completeness(score: Row | None) -> CompletenessPhaseView | None:
    if score is None:
        return None
    return CompletenessPhaseView(
        completeness=score["value"], nuggets=score["details"], **_made_by(score)
    )


def _groundedness(score: Row | None, claims: Sequence[Row]) -> GroundednessPhaseView | None:
    if score is None:
        return None
    return GroundednessPhaseView(
        groundedness=score["value"],
        claims=[ClaimView(**claim) for claim in claims],
        **_made_by(score),
    )


def _next_steps(score: Row | None) -> NextStepsPhaseView | None:
    if score is None:
        return None
    texts: dict[str, list[str]] = {"query": [], "action": []}
    for step in score["details"]:
        texts[step["kind"]].append(step["text"])
    return NextStepsPhaseView(
        urgency=score["label"],
        suggested_queries=texts["query"],
        action_items=texts["action"],
        **_made_by(score),
    )
