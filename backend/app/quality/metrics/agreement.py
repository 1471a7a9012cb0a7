"""Agreement of two labellings, or of a judge with itself: kappa, spans, figures of yes or no."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from pydantic import BaseModel

from app.quality.metrics import statistics

Weights: TypeAlias = Literal["linear", "quadratic"]
Span: TypeAlias = tuple[int, int]

Scored: TypeAlias = tuple[float, bool]
AUROC_RESAMPLES = 1_000
# Rounding leaves less than this of scores that are alike.
_NO_VARIANCE = 1e-12
THRESHOLD_FIGURES = ("precision", "recall", "f1", "balanced_accuracy")


def weighted_kappa(
    pairs: Sequence[tuple[int, int]], categories: int, weights: Weights = "quadratic"
) -> float | None:
    """Cohen's weighted kappa (1968): 1 for full agreement, 0 for what chance gives, below for
    less.

    pairs: the two raters' categories, 0 to categories - 1 in their order. Disagreement weighs
    |i - j| (linear) or its square. None without pairs, and when both raters used one and the same
    category only, where chance leaves nothing to agree on. Raises ValueError for a category
    outside of the range.
    """
    if any(not 0 <= one < categories for pair in pairs for one in pair):
        raise ValueError(f"categories are 0 to {categories - 1}")
    table = np.zeros((categories, categories))
    for first, second in pairs:
        table[first, second] += 1
    kappa = kappa_of(table, weights)
    return None if np.isnan(kappa) else kappa


def kappa_of(table: statistics.Floats, weights: Weights = "quadratic") -> float:
    """`weighted_kappa` of a square table of counts; NaN instead of None."""
    rows, columns = np.indices(table.shape)
    distance = np.abs(rows - columns).astype(np.float64)
    if weights == "quadratic":
        distance **= 2
    by_chance = np.outer(table.sum(axis=1), table.sum(axis=0))
    expected = float((distance * by_chance).sum())
    if not expected:
        return float("nan")
    return 1 - float((distance * table).sum()) * float(table.sum()) / expected


@dataclass(frozen=True, slots=True)
class SpanOverlap:
    """Characters that people and a judge marked, over `answers` that both marked.

    As in RAGTruth (Niu et al. 2024), where a character counts once however often it is marked.
    precision: of what the judge marked, the share that people marked too; recall: the reverse;
    f1: twice the common part over the sum of both. None where the denominator is 0.
    """

    answers: int
    precision: float | None
    recall: float | None
    f1: float | None


def span_overlap(answers: Iterable[tuple[Iterable[Span], Iterable[Span]]]) -> SpanOverlap:
    """The overlap of (human, judge) spans, each (start, end) in characters, end excluded."""
    human = judge = both = count = 0
    for by_people, by_judge in answers:
        expected, marked = _characters(by_people), _characters(by_judge)
        human += len(expected)
        judge += len(marked)
        both += len(expected & marked)
        count += 1
    marked_by_any = human + judge
    return SpanOverlap(
        answers=count,
        precision=both / judge if judge else None,
        recall=both / human if human else None,
        f1=2 * both / marked_by_any if marked_by_any else None,
    )


def _characters(spans: Iterable[Span]) -> set[int]:
    return {place for start, end in spans for place in range(start, end)}


@dataclass(frozen=True, slots=True)
class Confusion:
    """Counts of labelled answers, and the figures made of them, 0 to 1 or None where the
    denominator is 0."""

    true_positives: int
    false_positives: int
    false_negatives: int
    true_negatives: int

    @property
    def precision(self) -> float | None:
        """Labelled among the said."""
        return _ratio(self.true_positives, self.true_positives + self.false_positives)

    @property
    def recall(self) -> float | None:
        """Said among the labelled."""
        return _ratio(self.true_positives, self.true_positives + self.false_negatives)

    @property
    def specificity(self) -> float | None:
        """Not said among those without the label."""
        return _ratio(self.true_negatives, self.true_negatives + self.false_positives)

    @property
    def f1(self) -> float | None:
        """Harmonic mean of precision and recall, as 2 TP / (2 TP + FP + FN)."""
        wrong = self.false_positives + self.false_negatives
        return _ratio(2 * self.true_positives, 2 * self.true_positives + wrong)

    @property
    def balanced_accuracy(self) -> float | None:
        """Mean of recall and specificity: .5 for a constant prediction."""
        if self.recall is None or self.specificity is None:
            return None
        return (self.recall + self.specificity) / 2


def confusion(scored: Sequence[Scored], threshold: float) -> Confusion:
    """Counts when scores above `threshold` say that an answer has the label."""
    hits = sum(label for score, label in scored if score > threshold)
    said = sum(score > threshold for score, _ in scored)
    labelled = sum(label for _, label in scored)
    return Confusion(hits, said - hits, labelled - hits, len(scored) - said - labelled + hits)


def threshold_estimates(
    scored: Sequence[Scored], threshold: float, *, seed: int = 0
) -> dict[str, statistics.Estimate]:
    """precision, recall, f1 and balanced_accuracy at `threshold`, each with its interval."""
    whole = confusion(scored, threshold)
    cells = np.array([2 * (score > threshold) + label for score, label in scored], dtype=np.int64)

    def estimate(name: str) -> statistics.Estimate:
        def of_draw(drawn: statistics.Indices) -> float:
            neither, missed, false, hit = np.bincount(cells[drawn], minlength=4).tolist()
            value = getattr(Confusion(hit, false, missed, neither), name)
            return float("nan") if value is None else float(value)

        interval = statistics.bootstrap_statistic(len(scored), of_draw, seed=seed)
        return statistics.Estimate(getattr(whole, name), interval)

    return {name: estimate(name) for name in THRESHOLD_FIGURES}


def best_f1(scored: Sequence[Scored]) -> tuple[float, float]:
    """The highest F1 and the score above which it is reached; (0, 1) when none is labelled."""
    ranked = sorted(scored, reverse=True)
    labelled = sum(label for _, label in scored)
    best, hits = (0.0, 1.0), 0
    for said, (score, label) in enumerate(ranked, start=1):
        hits += label
        following = ranked[said][0] if said < len(ranked) else -1.0
        if following < score:
            best = max(best, (2 * hits / (said + labelled), following))
    return best


def auroc(scored: Sequence[Scored]) -> float | None:
    """Chance that a labelled answer scores above one without the label; ties count half.

    None when one of the classes is missing.
    """
    positives, negatives = _classes(scored)
    return area(positives, negatives) if len(positives) and len(negatives) else None


def _classes(scored: Sequence[Scored]) -> tuple[statistics.Floats, statistics.Floats]:
    """The scores of labelled answers, and of the others, each in rising order."""
    positives = np.sort([score for score, label in scored if label])
    negatives = np.sort([score for score, label in scored if not label])
    return positives, negatives


def auroc_interval(scored: Sequence[Scored], *, seed: int = 0) -> statistics.Interval | None:
    """95 % percentile bootstrap interval of the AUROC, resampling each class by itself.

    None when a class has fewer than two answers.
    """
    positives, negatives = _classes(scored)
    if len(positives) < 2 or len(negatives) < 2:
        return None
    rng = np.random.default_rng(seed)
    return statistics.percentile_interval(
        [
            area(
                positives[rng.integers(0, len(positives), size=len(positives))],
                np.sort(negatives[rng.integers(0, len(negatives), size=len(negatives))]),
            )
            for _ in range(AUROC_RESAMPLES)
        ]
    )


def area(positives: statistics.Floats, negatives: statistics.Floats) -> float:
    """The AUROC (Mann-Whitney U) of the scores of two classes, none of them empty, `negatives` in
    rising order."""
    below = np.searchsorted(negatives, positives, side="left")
    up_to = np.searchsorted(negatives, positives, side="right")
    return float((below + up_to).sum() / (2 * len(positives) * len(negatives)))


def _ratio(part: int, whole: int) -> float | None:
    return part / whole if whole else None


class Steadiness(BaseModel):
    """Of a judge that was sent each input `repeats` times, over the `answers` with a score each
    time.

    same_verdict: share of answers of which all repeats lie on one side of the threshold (total
    agreement, Atil et al. 2024). spread: standard deviation of the score of one answer (0 to .71).
    judge_share: share of the variance of scores that comes from the judge; the rest comes from the
    answers and from what was retrieved for them. It is 1 less the intraclass correlation ICC(1)
    (Shrout and Fleiss 1979), at most 1; None where all scores are alike.
    """

    repeats: int
    answers: int
    same_verdict: statistics.Estimate
    spread: statistics.Estimate
    judge_share: statistics.Estimate


def measure_steadiness(
    repeated: Iterable[Sequence[float | None]], threshold: float
) -> Steadiness | None:
    """Of the scores of each answer; None without answers that were judged more than once."""
    known = [scores for scores in repeated if len(scores) > 1 and None not in scores]
    if not known:
        return None
    data = np.asarray(known, dtype=np.float64)
    answers, repeats = data.shape
    below = (data < threshold).sum(axis=1)
    same = ((below == 0) | (below == repeats)).astype(np.float64)
    means, within = data.mean(axis=1), data.var(axis=1, ddof=1)

    def judge_share(drawn: statistics.Indices) -> float:
        noise = float(within[drawn].mean())
        between = repeats * float(means[drawn].var(ddof=1)) if len(drawn) > 1 else 0.0
        # Of mean squares: the share of the answers is (between - noise) / repeats.
        total = noise + max(between - noise, 0.0) / repeats
        return noise / total if total > _NO_VARIANCE else float("nan")

    def estimate(statistic: Callable[[statistics.Indices], float]) -> statistics.Estimate:
        value = statistic(np.arange(answers))
        interval = statistics.bootstrap_statistic(answers, statistic, seed=0)
        return statistics.Estimate(None if np.isnan(value) else value, interval)

    return Steadiness(
        repeats=repeats,
        answers=answers,
        same_verdict=estimate(lambda drawn: float(same[drawn].mean())),
        spread=estimate(lambda drawn: float(np.sqrt(within[drawn].mean()))),
        judge_share=estimate(judge_share),
    )
