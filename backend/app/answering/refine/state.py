"""The state of one refinement with its verdicts: all that is needed to resume."""

import enum
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict

from app.ai_router.types import Lang
from app.answering.profile import Slots
from app.answering.refine.query_rewriter import RewriteMethod
from app.judges.published.refinement import Document, EvaluationResult

# From the worst to the best.
_CONFIDENCE: Sequence[str] = ("low", "medium", "high")


class AnswerVerdict(BaseModel):
    """Scores are 0 to 1. judged_by: provider:model/version. overall: of the phases, None where none
    was requested. error: why there is no verdict; then all else is None."""

    model_config = ConfigDict(frozen=True)

    judged_by: str | None = None
    correctness: float | None = None
    utility: float | None = None
    confidence: Literal["high", "medium", "low"] | None = None
    overall: float | None = None
    error: str | None = None

    def lift_over(self, first: "AnswerVerdict | None") -> tuple[float, float] | None:
        """By how much correctness and utility are higher, -1 to 1. None where another judge or
        none gave one of the verdicts, so that they cannot be compared."""
        if first is None or self.judged_by is None or self.judged_by != first.judged_by:
            return None
        if self.correctness is None or self.utility is None:
            return None
        if first.correctness is None or first.utility is None:
            return None
        return (
            round(self.correctness - first.correctness, 4),
            round(self.utility - first.utility, 4),
        )

    def worse_than(self, first: "AnswerVerdict | None") -> bool:
        """Whether the same judge has less confidence in this answer, or scores it lower in one
        respect and higher in none."""
        lift = self.lift_over(first)
        if first is None or lift is None or self.confidence is None or first.confidence is None:
            return False
        rank = _CONFIDENCE.index
        if rank(self.confidence) != rank(first.confidence):
            return rank(self.confidence) < rank(first.confidence)
        return min(lift) < 0 >= max(lift)


class StopReason(enum.StrEnum):
    """Why the loop ended.

    THRESHOLD: the answer is good enough. MAX_ITERATIONS: not yet, but that was the last try.
    SAME_DOCUMENTS: the new query found what an earlier one had found. NO_GAIN: the new answer
    is no better. NO_DOCUMENTS: the new query found nothing. LOWER_VERDICT: the new answer is better
    by the scores of the loop, but the judge of the first answer says that it is worse. FAILED: no
    answer could be had from the model.
    """

    THRESHOLD = "threshold"
    MAX_ITERATIONS = "max_iterations"
    SAME_DOCUMENTS = "same_documents"
    NO_GAIN = "no_gain"
    NO_DOCUMENTS = "no_documents"
    LOWER_VERDICT = "lower_verdict"
    FAILED = "failed"


_STOP_TEXTS: Mapping[str, Mapping[Lang, str]] = json.loads(
    Path(__file__).with_name("stop_texts.json").read_text("utf-8")
)


def stop_text(reason: StopReason, lang: Lang) -> str:
    """One sentence on why the loop ended."""
    return _STOP_TEXTS[reason][lang]


class Iteration(BaseModel):
    """One round. Its fields are filled in this order; None is what is not known yet.

    rewritten_by: how the query was made, None for the question as it was asked. searched: False
    where the answer is rewritten from the documents of the round before. verdict: by the judge of
    the first answer, only of that answer and of the one that is to be offered.
    An iteration that ends the loop early may stay without answer or evaluation.
    """

    model_config = ConfigDict(frozen=True)

    query: str
    rewritten_by: RewriteMethod | None = None
    searched: bool = True
    documents: tuple[Document, ...] | None = None
    answer: str | None = None
    evaluation: EvaluationResult | None = None
    verdict: AnswerVerdict | None = None

    @property
    def document_ids(self) -> frozenset[str]:
        return frozenset(document.id for document in self.documents or ())


class RefinementState(BaseModel):
    """A question with the iterations so far; iteration 0 is the first answer.

    failure: the kind of error that ended the loop, never its text.
    """

    model_config = ConfigDict(frozen=True)

    question: str
    lang: Lang = "ko"
    profile_summary: str | None = None
    slots: Slots | None = None
    iterations: tuple[Iteration, ...] = ()
    stop: StopReason | None = None
    failure: str | None = None

    @property
    def evaluations(self) -> list[tuple[int, EvaluationResult]]:
        """The evaluated iterations with their numbers."""
        return [
            (number, iteration.evaluation)
            for number, iteration in enumerate(self.iterations)
            if iteration.evaluation is not None
        ]

    @property
    def candidate(self) -> int | None:
        """The number of the iteration with the highest overall score, the earlier one on a tie;
        None before the first evaluation. Only iterations that were judged as the first was
        take part: scores of a model and of the heuristic cannot be compared."""
        comparable = self._comparable()
        if not comparable:
            return None
        return max(comparable, key=lambda one: (one[1].overall_score, -one[0]))[0]

    @property
    def lower_verdict(self) -> bool:
        """Whether the judge of the first answer says that the candidate is worse."""
        chosen = self._verdict_of(self.candidate)
        return chosen is not None and chosen.worse_than(self.iterations[0].verdict)

    @property
    def best(self) -> int | None:
        """The number of the iteration to offer, 0 for the first answer; None before the first
        evaluation."""
        return 0 if self.lower_verdict else self.candidate

    @property
    def improved(self) -> bool:
        """Whether a later answer is better than the first."""
        return bool(self.best)

    @property
    def lift(self) -> float | None:
        """Overall score of the best iteration minus that of the first, 0 to 1. None where no
        second answer was judged in the same way, so that they cannot be compared."""
        comparable = dict(self._comparable())
        if len(comparable) < 2:
            return None
        scores = [comparable[number].overall_score for number in (0, self.best or 0)]
        return round(scores[1] - scores[0], 4)

    @property
    def verdict_lift(self) -> tuple[float, float] | None:
        """The same of correctness and utility, by the judge of the first answer, -1 to 1: what
        the candidate has gained, also where it is not offered."""
        chosen = self._verdict_of(self.candidate)
        return chosen.lift_over(self.iterations[0].verdict) if chosen else None

    def _verdict_of(self, number: int | None) -> AnswerVerdict | None:
        """None for the first answer, which is compared with nothing."""
        return self.iterations[number].verdict if number else None

    def comparable(self, number: int) -> bool:
        """Whether that iteration was judged as the first was, by a model or by the heuristic."""
        return number in dict(self._comparable())

    def _comparable(self) -> list[tuple[int, EvaluationResult]]:
        evaluations = self.evaluations
        return [
            (number, evaluation)
            for number, evaluation in evaluations
            if evaluation.heuristic == evaluations[0][1].heuristic
        ]

    def with_iteration(self, iteration: Iteration) -> Self:
        """The state with one more iteration."""
        return self.model_copy(update={"iterations": (*self.iterations, iteration)})

    def filled(self, **fields: object) -> Self:
        """The state with these fields of the last iteration filled in."""
        last = self.iterations[-1].model_copy(update=fields)
        return self.model_copy(update={"iterations": (*self.iterations[:-1], last)})

    def judged(self, number: int, verdict: AnswerVerdict) -> Self:
        """The state with the verdict on that iteration's answer."""
        iterations = list(self.iterations)
        iterations[number] = iterations[number].model_copy(update={"verdict": verdict})
        return self.model_copy(update={"iterations": tuple(iterations)})

    def stopped(self, reason: StopReason, failure: str | None = None) -> Self:
        return self.model_copy(update={"stop": reason, "failure": failure})
