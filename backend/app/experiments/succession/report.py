"""What a succession's trials say: agreement, bias, price, time, and what stays comparable."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Self

from pydantic import BaseModel

from app.experiments.benches.request import THRESHOLD
from app.experiments.benches.views import BothMeans
from app.judges.answer import HIGH_CORRECTNESS, MEDIUM_CORRECTNESS
from app.judges.judge_names import takes_prompts
from app.quality.metrics.judge import PairedMeans, paired_cell, paired_means, paired_shares
from app.quality.metrics.ppi import MIN_DEGREES
from app.quality.metrics.statistics import Estimate, bootstrap_interval, mean_known
from app.quality.review.agreement import Agreement, Pair, agreement
from app.quality.review.calibrating import CalibratedJudge

# A row of `queries.SUCCESSION_RESULTS`.
Result = Mapping[str, Any]

# A figure whose bias surely lies within counts on from those of the old judge.
MARGIN = 0.05
# Share of the sample without a verdict that is held against the new judge.
MAX_FAILED = 0.05
# With fewer a difference has no interval.
MIN_PAIRS = MIN_DEGREES + 1
_MAX_NOTEBOOKS = 10

Figure = Literal["correctness", "utility", "overall", "high", "criterion"]
Group = Literal["all", "confidence", "lang", "notebook"]
Comparable = Literal["yes", "no", "unclear"]
Objection = Literal["fails", "less_accurate", "too_few"]


class Side(BaseModel):
    """One of the two judges. stored: verdicts that readers were given before, of answers on which
    it failed now; failed: answers without either. with_people: labels of people against its own by
    the correctness; null without labels. usd_per_1000, seconds: means of an answer, tries that
    failed included."""

    judge_model: str
    verdicts: int
    stored: int
    failed: int
    first_error: str | None
    with_people: Agreement | None
    usd_per_1000: Estimate
    seconds: Estimate


class Shift(BothMeans):
    """The new judge's bias in one figure: `second` less `first`, the old judge's. group, value: of
    which answers, by the old judge's confidence (where chance alone draws extremes to the middle),
    their language or notebook. high: share with high confidence. criterion: the score by that of
    the workspace which `value` names; alike: share of answers with the same score by both.

    comparable: yes where the interval lies within MARGIN, no where it leaves out 0, else unclear,
    as with fewer than MIN_PAIRS answers.
    """

    figure: Figure
    group: Group
    value: str
    answers: int
    comparable: Comparable
    alike: float | None = None


class SuccessionReport(BaseModel):
    """pairs: answers that both judges have a verdict on; labelled: of these, those that people have
    labelled. agreement: of the judges with each other. people: share of labelled answers that a
    judge and people both find right, or both do not.

    guarantee: what becomes of that of the old judge, see CalibratedJudge; null where it has none.
    It is looked for again when the policy switches.

    objections: `fails` on more than MAX_FAILED of the sample; `less_accurate` by people's labels,
    where the interval leaves out 0; `too_few` pairs to say anything.
    """

    old: Side
    new: Side
    pairs: int
    labelled: int
    agreement: Agreement
    people: BothMeans | None
    shifts: list[Shift]
    guarantee: CalibratedJudge | None = None
    objections: list[Objection]


@dataclass(frozen=True, slots=True)
class _Verdict:
    correctness: float
    utility: float
    overall: float | None
    confidence: str
    # By name.
    criteria: Mapping[str, float | None] = field(default_factory=dict)

    @classmethod
    def from_row(cls, row: Result) -> Self | None:
        """Of its trial, else the one that was stored before; None without any."""
        trial = row["verdict"]
        if trial is None:
            return cls(**row["stored"]) if row["stored"] else None
        found = trial["evaluation"]
        scores = found["correctness"], found["utility"]
        criteria = {each["name"]: each["value"] for each in trial.get("criteria", ())}
        return cls(*scores, trial["overall_score"], found["confidence"], criteria)

    @property
    def grade(self) -> int:
        """As people's labels: 0 wrong, 1 partly, 2 right."""
        return (self.correctness >= MEDIUM_CORRECTNESS) + (self.correctness >= HIGH_CORRECTNESS)


@dataclass(frozen=True, slots=True)
class _Both:
    row: Result
    old: _Verdict
    new: _Verdict


# The value of a figure in a verdict; None where it has none.
Measure = Callable[[_Verdict], float | None]
_FIGURES: Mapping[Figure, Measure] = {
    "correctness": lambda verdict: verdict.correctness,
    "utility": lambda verdict: verdict.utility,
    "overall": lambda verdict: verdict.overall,
    "high": lambda verdict: float(verdict.confidence == "high"),
}


def report(results: Sequence[Result], old: str, new: str) -> SuccessionReport:
    """Blocks for a second with thousands of results."""
    by_old = {row["evaluation_id"]: row for row in results if row["judge_model"] == old}
    by_new = {row["evaluation_id"]: row for row in results if row["judge_model"] == new}
    pairs = list(_pairs(by_old, by_new))
    labelled = [pair for pair in pairs if pair.row["grade"] is not None]
    people = _with_people(labelled) if labelled else None
    found = SuccessionReport(
        old=_side(old, list(by_old.values())),
        new=_side(new, list(by_new.values())),
        pairs=len(pairs),
        labelled=len(labelled),
        agreement=agreement(
            [Pair(pair.row["answer_id"], pair.old.grade, pair.new.grade) for pair in pairs]
        ),
        people=BothMeans.from_means(people) if people else None,
        shifts=list(_shifts(pairs)),
        objections=[],
    )
    found.objections = list(_objections(found, people))
    return found


def _pairs(by_old: Mapping[object, Result], by_new: Mapping[object, Result]) -> Iterator[_Both]:
    for id_, row in by_old.items():
        if id_ in by_new:
            old, new = _Verdict.from_row(row), _Verdict.from_row(by_new[id_])
            if old and new:
                yield _Both(row, old, new)


def _objections(found: SuccessionReport, people: PairedMeans | None) -> Iterator[Objection]:
    asked = found.new.verdicts + found.new.failed
    if found.new.failed > MAX_FAILED * asked:
        yield "fails"
    if people and people.is_significant and people.difference < 0:
        yield "less_accurate"
    if found.pairs < MIN_PAIRS:
        yield "too_few"


def _side(judge: str, rows: Sequence[Result]) -> Side:
    verdicts = [(row, found) for row in rows if (found := _Verdict.from_row(row))]
    labelled = [
        Pair(row["answer_id"], found.grade, row["grade"])
        for row, found in verdicts
        if row["grade"] is not None
    ]
    costs = [None if row["cost_usd"] is None else 1_000 * float(row["cost_usd"]) for row in rows]
    if not takes_prompts(judge):
        costs = [0.0] * len(rows)
    return Side(
        judge_model=judge,
        verdicts=len(verdicts),
        stored=sum(row["verdict"] is None for row, _ in verdicts),
        failed=len(rows) - len(verdicts),
        first_error=next((row["error"] for row in rows if row["error"]), None),
        with_people=agreement(labelled) if labelled else None,
        usd_per_1000=_mean(costs),
        seconds=_mean([row["judge_ms"] and row["judge_ms"] / 1_000 for row in rows]),
    )


def _mean(values: Sequence[float | None]) -> Estimate:
    known = [value for value in values if value is not None]
    return Estimate(mean_known(values), bootstrap_interval(known))


def _with_people(labelled: Sequence[_Both]) -> PairedMeans:
    def agrees(verdict: _Verdict, row: Result) -> float:
        return float((verdict.correctness >= THRESHOLD) == (row["grade"] == 2))

    return _paired(
        [(agrees(pair.old, pair.row), agrees(pair.new, pair.row)) for pair in labelled],
        paired_shares,
    )


def _paired(
    values: Sequence[tuple[float, float]], means: Callable[..., PairedMeans]
) -> PairedMeans:
    first, second = zip(*values, strict=True)
    return means([paired_cell(first, second, answers=len(values), labels=len(values))])


def _shifts(pairs: Sequence[_Both]) -> Iterator[Shift]:
    for figure, measure in _FIGURES.items():
        yield from _shift(figure, "all", "", pairs, measure)
    for name in sorted({name for pair in pairs for name in pair.old.criteria}):
        yield from _shift("criterion", "all", name, pairs, _criterion(name))
    by_value: dict[tuple[Group, str], list[_Both]] = {}
    for pair in pairs:
        by_value.setdefault(("confidence", pair.old.confidence), []).append(pair)
        by_value.setdefault(("lang", pair.row["lang"]), []).append(pair)
        by_value.setdefault(("notebook", pair.row["notebook"] or "-"), []).append(pair)
    largest = sorted(by_value.items(), key=lambda each: (-len(each[1]), each[0]))
    for group in ("confidence", "lang", "notebook"):
        of_group = [(value, among) for (name, value), among in largest if name == group]
        for value, among in of_group[:_MAX_NOTEBOOKS]:
            yield from _shift("correctness", group, value, among, _FIGURES["correctness"])


def _criterion(name: str) -> Measure:
    return lambda verdict: verdict.criteria.get(name)


def _shift(
    figure: Figure, group: Group, value: str, pairs: Sequence[_Both], measure: Measure
) -> Iterator[Shift]:
    """None where no pair has the figure."""
    both = [(measure(pair.old), measure(pair.new)) for pair in pairs]
    known = [(old, new) for old, new in both if old is not None and new is not None]
    if known:
        found = _paired(known, paired_shares if figure == "high" else paired_means)
        yield Shift(
            **BothMeans.from_means(found).model_dump(),
            figure=figure,
            group=group,
            value=value,
            answers=len(known),
            comparable=_comparable(found),
            alike=mean_known(old == new for old, new in known) if figure == "criterion" else None,
        )


def _comparable(found: PairedMeans) -> Comparable:
    if found.interval is None:
        return "unclear"
    if max(abs(found.interval.low), abs(found.interval.high)) <= MARGIN:
        return "yes"
    return "no" if found.is_significant else "unclear"
