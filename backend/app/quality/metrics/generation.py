"""How good the answers of a run are, for one case and over all cases."""

from collections.abc import Callable, Sequence

from pydantic import BaseModel, ConfigDict

from app.quality.metrics.statistics import Interval, bootstrap_interval, mean


class GenerationCaseMetrics(BaseModel):
    """The scores of one answer, 0 to 1; 0.0 where the judge's reply could not be used, which the
    `_parsed` fields tell."""

    model_config = ConfigDict(frozen=True)

    faithfulness: float
    answer_relevancy: float
    faithfulness_parsed: bool
    answer_relevancy_parsed: bool


class JudgedMean(BaseModel):
    """A mean of judged scores with what it rests on.

    mean: over all scored cases, failures as 0.0; mean_of_parsed: without failures, None when there
    are only failures; the intervals are 95 % bootstrap intervals, None with fewer than two cases.
    scored: cases that a judge was asked about; parsed: those with a usable reply; total: cases of
    the run; coverage: parsed / total.
    """

    model_config = ConfigDict(frozen=True)

    mean: float
    interval: Interval | None
    mean_of_parsed: float | None
    interval_of_parsed: Interval | None
    scored: int
    parsed: int
    total: int
    coverage: float

    @property
    def is_quality(self) -> bool:
        """Whether the mean says anything of the answers: false when every reply was unusable."""
        return self.parsed > 0


class GenerationMetrics(BaseModel):
    """The means over all cases, failures counting 0.0, and what each rests on."""

    model_config = ConfigDict(frozen=True)

    mean_faithfulness: float
    mean_answer_relevancy: float
    faithfulness: JudgedMean
    answer_relevancy: JudgedMean


def summarise(
    cases: Sequence[GenerationCaseMetrics], *, total: int | None = None, seed: int = 0
) -> GenerationMetrics | None:
    """The means over the scored cases, or None when there is none.

    total: cases of the run, those without a score included; as many as `cases` when left out.
    Equal input and seed give equal intervals.
    """
    if not cases:
        return None
    of = len(cases) if total is None else total

    def judged(score: Callable[[GenerationCaseMetrics], tuple[float, bool]]) -> JudgedMean:
        return _judged_mean([score(case) for case in cases], of, seed)

    faithfulness = judged(lambda case: (case.faithfulness, case.faithfulness_parsed))
    relevancy = judged(lambda case: (case.answer_relevancy, case.answer_relevancy_parsed))
    return GenerationMetrics(
        mean_faithfulness=faithfulness.mean,
        mean_answer_relevancy=relevancy.mean,
        faithfulness=faithfulness,
        answer_relevancy=relevancy,
    )


def _judged_mean(scores: Sequence[tuple[float, bool]], total: int, seed: int) -> JudgedMean:
    every = [score for score, _ in scores]
    usable = [score for score, parsed in scores if parsed]
    return JudgedMean(
        mean=mean(every),
        interval=bootstrap_interval(every, seed=seed),
        mean_of_parsed=mean(usable) if usable else None,
        interval_of_parsed=bootstrap_interval(usable, seed=seed),
        scored=len(every),
        parsed=len(usable),
        total=total,
        coverage=len(usable) / total,
    )
