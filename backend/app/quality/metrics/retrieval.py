"""Metrics of search and of generated answers, for one case and over all cases.

With k results requested, R relevant chunks and the results in order of rank, where a relevant chunk
that no longer exists is one of R that no search finds:

    precision@k        relevant among the first k / k, also where fewer than k were found
    recall@k           relevant among the first k / R
    hit                whether any of the first k is relevant
    reciprocal rank    1 / rank of the first relevant one among the first k, 0 without
    average precision  sum of precision@rank over the ranks of relevant ones up to k / R
    nDCG               DCG / DCG of the best order possible, both of the first k, where
                       DCG = sum of grade / log2(rank + 1)

The last two are cut at k as `map_cut.k` and `ndcg_cut.k` of NIST's trec_eval are (for nDCG see
Järvelin and Kekäläinen 2002, with linear gain), and agree with it to four decimals
(benchmarks/retrieval_metrics_check.py). Means are over cases, each with the same weight."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log2
from statistics import fmean

from pydantic import BaseModel, ConfigDict

from app.quality.metrics.statistics import Interval, bootstrap_interval

# The field of CaseRetrieval that each mean is taken over.
MEANS: Mapping[str, str] = {
    "precision_at_k": "precision",
    "recall_at_k": "recall",
    "hit_rate_at_k": "hit",
    "mrr": "reciprocal_rank",
    "map": "average_precision",
    "ndcg_at_k": "ndcg",
}


@dataclass(frozen=True, slots=True)
class CaseRetrieval:
    """One case, each figure 0 to 1. missing: ground-truth ids that no longer exist, sorted;
    they count as missed."""

    precision: float
    recall: float
    hit: bool
    reciprocal_rank: float
    average_precision: float
    ndcg: float
    missing: tuple[str, ...] = ()


class RetrievalMetrics(BaseModel):
    """Means over the measured cases, each 0 to 1.

    cases: how many were measured; missing_chunks: ground-truth ids that no longer exist and count
    as missed.
    intervals: 95 % bootstrap interval of each mean by its name; None with fewer than two cases.
    """

    model_config = ConfigDict(frozen=True)

    precision_at_k: float
    recall_at_k: float
    hit_rate_at_k: float
    mrr: float
    map: float
    ndcg_at_k: float
    k: int
    cases: int
    missing_chunks: int
    intervals: dict[str, Interval | None]


def score_case(
    retrieved: Sequence[str],
    ground_truth: Collection[str] | Mapping[str, int],
    k: int,
    missing: Collection[str] = (),
) -> CaseRetrieval:
    """The figures of one case.

    retrieved: chunk ids, best first; an id that comes again is a result wasted.
    ground_truth: relevant ids, or a grade for each; a grade of 0 or less is not relevant.
    missing: ids, of the ground truth or others, that no longer exist.
    Raises ValueError when k is below 1 or the ground truth names nothing relevant.
    """
    if k < 1:
        raise ValueError("k must be at least 1")
    grades = _grades(ground_truth)
    if not grades:
        raise ValueError("the ground truth names no relevant chunk")
    gone = tuple(sorted(grades.keys() & set(missing)))
    gains = _gains(retrieved[:k], grades)
    ranks = [rank for rank, gain in enumerate(gains, start=1) if gain]
    precisions = [found / rank for found, rank in enumerate(ranks, start=1)]
    best = sorted(grades.values(), reverse=True)[:k]
    return CaseRetrieval(
        precision=len(ranks) / k,
        recall=len(ranks) / len(grades),
        hit=bool(ranks),
        reciprocal_rank=1 / ranks[0] if ranks else 0.0,
        average_precision=sum(precisions) / len(grades),
        ndcg=_dcg(gains) / _dcg(best),
        missing=gone,
    )


def summarise_retrieval(cases: Iterable[CaseRetrieval], k: int) -> RetrievalMetrics | None:
    """The means over the cases, or None when there is none. Equal input gives equal intervals."""
    measured = list(cases)
    if not measured:
        return None
    columns = {
        name: [float(getattr(case, field)) for case in measured] for name, field in MEANS.items()
    }
    means = {name: fmean(values) for name, values in columns.items()}
    return RetrievalMetrics(
        **means,
        k=k,
        cases=len(measured),
        missing_chunks=sum(len(case.missing) for case in measured),
        intervals={name: bootstrap_interval(values) for name, values in columns.items()},
    )


def _grades(ground_truth: Collection[str] | Mapping[str, int]) -> dict[str, int]:
    if isinstance(ground_truth, Mapping):
        return {chunk: grade for chunk, grade in ground_truth.items() if grade > 0}
    return dict.fromkeys(ground_truth, 1)


def _gains(retrieved: Sequence[str], grades: Mapping[str, int]) -> list[int]:
    """The grade at each rank, 0 for what is not relevant or was there before."""
    left = dict(grades)
    return [left.pop(chunk, 0) for chunk in retrieved]


def _dcg(gains: Sequence[int]) -> float:
    return sum(gain / log2(rank + 1) for rank, gain in enumerate(gains, start=1))


RIGHTLY_REFUSED = "rightly_refused"


class GenerationCaseMetrics(BaseModel):
    """The scores of one answer, 0 to 1; 0.0 where the judge's reply could not be used, which the
    `_parsed` fields tell. faithfulness_decided: False where rules could not tell. outcome:
    `rightly_refused` of an answer that rightly says that the notes do not say."""

    model_config = ConfigDict(frozen=True)

    faithfulness: float
    answer_relevancy: float
    faithfulness_parsed: bool
    answer_relevancy_parsed: bool
    faithfulness_decided: bool | None = None
    outcome: str | None = None


class JudgedMean(BaseModel):
    """A mean of judged scores with what it rests on.

    mean: over all scored cases, failures as 0.0; mean_of_parsed: without failures, None when there
    are only failures; the intervals are 95 % bootstrap intervals, None with fewer than two cases.
    scored: cases that a judge was asked about; parsed: those with a usable reply; undecided: cases
    that rules could not tell, rightly_refused: right refusals, which count in none of these; total:
    cases of the run; coverage: parsed / total.
    """

    model_config = ConfigDict(frozen=True)

    mean: float
    interval: Interval | None
    mean_of_parsed: float | None
    interval_of_parsed: Interval | None
    scored: int
    parsed: int
    undecided: int = 0
    rightly_refused: int = 0
    total: int
    coverage: float

    @property
    def is_quality(self) -> bool:
        """Whether the mean says anything of the answers: false when every reply was unusable or
        undecided."""
        return self.parsed > 0


class GenerationMetrics(BaseModel):
    """The means over all cases, failures counting 0.0, and what each rests on."""

    model_config = ConfigDict(frozen=True)

    mean_faithfulness: float
    mean_answer_relevancy: float
    faithfulness: JudgedMean
    answer_relevancy: JudgedMean


def summarise_generation(
    cases: Sequence[GenerationCaseMetrics], *, total: int | None = None
) -> GenerationMetrics | None:
    """The means over the scored cases, or None when there is none.

    total: cases of the run, those without a score included; as many as `cases` when left out.
    Equal input gives equal intervals.
    """
    if not cases:
        return None
    of = len(cases) if total is None else total

    answered = [case for case in cases if case.outcome != RIGHTLY_REFUSED]
    refused = len(cases) - len(answered)
    decided = [case for case in answered if case.faithfulness_decided is not False]
    faithfulness = _judged_mean(
        [(case.faithfulness, case.faithfulness_parsed) for case in decided],
        *(of, len(answered) - len(decided), refused),
    )
    relevancy = _judged_mean(
        [(case.answer_relevancy, case.answer_relevancy_parsed) for case in answered],
        *(of, 0, refused),
    )
    return GenerationMetrics(
        mean_faithfulness=faithfulness.mean,
        mean_answer_relevancy=relevancy.mean,
        faithfulness=faithfulness,
        answer_relevancy=relevancy,
    )


def _judged_mean(
    scores: Sequence[tuple[float, bool]], total: int, undecided: int, rightly_refused: int
) -> JudgedMean:
    every = [score for score, _ in scores]
    usable = [score for score, parsed in scores if parsed]
    return JudgedMean(
        mean=fmean(every) if every else 0.0,
        interval=bootstrap_interval(every),
        mean_of_parsed=fmean(usable) if usable else None,
        interval_of_parsed=bootstrap_interval(usable),
        scored=len(every),
        parsed=len(usable),
        undecided=undecided,
        rightly_refused=rightly_refused,
        total=total,
        coverage=len(usable) / total,
    )
