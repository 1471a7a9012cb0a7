"""What a policy has learned from labels: whether examples in its judge's prompt, or another score
from which its "high" stays, agree more with people; the change of the policy, and the way back."""

import datetime as dt
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from operator import itemgetter
from typing import Any, Literal

import numpy as np
from pydantic import BaseModel

from app.experiments.benches.cascade import is_kept
from app.experiments.benches.request import judge_name
from app.experiments.benches.views import BenchFrame, BothMeans
from app.judges.answer import HIGH_CORRECTNESS
from app.judges.judge_names import takes_prompts
from app.judges.verdict_prompts import DEFAULT_PROMPT
from app.platform.ids import unit_hash
from app.quality.metrics.calibration import isotonic, lower_bound
from app.quality.metrics.judge import paired_cell, paired_shares
from app.quality.metrics.statistics import sum_known
from app.verdicts.policy.calibrations import NewCalibration
from app.verdicts.policy.changes import Snapshot

# A row of `queries.bench_results`.
Row = Mapping[str, Any]
# Of the guarantee that comes with a change.
CONFIDENCE = 0.9
# Sums of weights differ in their last bits.
_ROUNDING = 1e-6

Outcome = Literal["better", "not_better", "policy_changed"]
Change = Literal["examples", "threshold"]


class LearningResult(BaseModel):
    """What the proving half has shown.

    change: what was tested, null where there was nothing to test. threshold: the correctness from
    which "high" stays. agreement: share of answers that the judge calls high where people call them
    right, and not high where they do not: of the present judge, of the changed one, and the
    difference with its 95 % interval. outcome: better where that lies above 0. highs, highs_right:
    labelled answers that the changed judge calls high, and how many of them are right: more than a
    share `precision`, with 90 % confidence. spent_usd: null where nobody knows.
    """

    outcome: Outcome
    change: Change | None
    threshold: float
    agreement: BothMeans | None
    labels: int
    highs: int
    highs_right: int
    precision: float
    spent_usd: float | None


class Learning(BaseModel):
    """judge_model: of the policy; prompt: that it has set, null where it leaves it to the server;
    candidate: the same with examples, null without. threshold: of the guarantee that holds.
    estimated_usd: null where nobody knows. applied_at: when the policy was changed, undone_at: when
    it was changed back."""

    judge_model: str
    prompt: str | None
    candidate: str | None
    examples: int
    threshold: float | None
    learned_on: int
    proven_on: int
    dry_run: bool
    estimated_usd: float | None
    made_by: str
    result: LearningResult | None = None
    applied_at: dt.datetime | None = None
    undone_at: dt.datetime | None = None

    @property
    def judges(self) -> tuple[str, ...]:
        """As the bench names them: the present one, then the one with examples."""
        if not takes_prompts(self.judge_model):
            return (self.judge_model,)
        prompts = (self.prompt or DEFAULT_PROMPT, self.candidate)
        return tuple(judge_name(self.judge_model, each) for each in prompts if each)


class StoredLearning(Learning):
    """guarantee: that comes with a change that is better, whose prompt version is known once it is
    applied; before: the policy when it was changed."""

    guarantee: NewCalibration | None = None
    before: Snapshot | None = None


def teaches(ref: str) -> bool:
    """The half of an answer, for ever: what has taught once never proves."""
    return unit_hash(ref.encode(), b"learn") < 0.5


@dataclass(frozen=True, slots=True)
class _Judged:
    """Verdicts of one judge, by the position of their answers. threshold: "high" stays from this
    correctness on."""

    rows: Mapping[int, Row]
    threshold: float
    change: Change | None = None

    def is_high(self, row: Row) -> bool:
        return row["confidence"] == "high" and bool(row["score"] >= self.threshold)

    def agrees(self, row: Row) -> float:
        """With people, who call the answer right or do not. No verdict does not agree."""
        if row["score"] is None:
            return 0.0
        return float(self.is_high(row) != row["hallucinated"])

    def share(self, frame: BenchFrame) -> float:
        """Of the answers that the labels stand for, those on which it agrees with people."""
        weights = [frame.weight(row["cell"]) for row in self.rows.values()]
        return float(np.average([*map(self.agrees, self.rows.values())], weights=weights))


def prove(learning: StoredLearning, results: Sequence[Row], frame: BenchFrame) -> StoredLearning:
    """The change that agrees most on the half that teaches, tested once on the half that proves;
    with a guarantee where it is better, unless on a dry run. Blocks for a moment."""
    learned, learn_frame = _half(learning, results, frame, teaching=True)
    proving, frame = _half(learning, results, frame, teaching=False)
    changes = list(_changes(learning, learned, learn_frame))
    present = _Judged(proving[0], learning.threshold or HIGH_CORRECTNESS)
    tested = present
    if changes:
        chosen = max(changes, key=lambda each: each.share(learn_frame))
        tested = replace(chosen, rows=proving[-1 if chosen.change == "examples" else 0])
    agreement = _compared(present, tested, frame) if changes else None
    rows = [row for row in tested.rows.values() if row["score"] is not None]
    highs = [row for row in rows if tested.is_high(row) and is_kept(row, frame)]
    right = sum(not row["hallucinated"] for row in highs)
    precision = lower_bound(right, len(highs), CONFIDENCE) if highs else 0.0
    interval = agreement.interval if agreement else None
    is_better = interval is not None and interval.low > 0 and precision > 0
    spent = sum_known(row["cost_usd"] for row in results)
    result = LearningResult(
        outcome="better" if is_better else "not_better",
        change=tested.change,
        threshold=tested.threshold,
        agreement=agreement,
        labels=len(tested.rows),
        highs=len(highs),
        highs_right=right,
        precision=precision,
        spent_usd=None if spent is None else float(spent),
    )
    applies = is_better and not learning.dry_run
    guarantee = _guarantee(learning, result, tested, rows, frame) if applies else None
    return learning.model_copy(update={"result": result, "guarantee": guarantee})


def _guarantee(
    learning: Learning,
    result: LearningResult,
    tested: _Judged,
    rows: Sequence[Row],
    frame: BenchFrame,
) -> NewCalibration:
    """rows: the verdicts of the tested judge that have a score."""
    curve = isotonic(
        np.array([row["score"] for row in rows]),
        np.array([float(not row["hallucinated"]) for row in rows]),
        np.array([frame.weight(row["cell"]) for row in rows]),
    )
    stay = [tested.is_high(row) for row in rows if row["confidence"] == "high"]
    return NewCalibration(
        judge_model=learning.judge_model,
        prompt_version="",
        precision=result.precision,
        confidence=CONFIDENCE,
        threshold=result.threshold,
        labels=result.highs,
        labels_right=result.highs_right,
        stays_high=sum(stay) / len(stay),
        cascade=None,
        scores=curve.scores,
        chances=curve.chances,
    )


def _half(
    learning: Learning, results: Sequence[Row], frame: BenchFrame, *, teaching: bool
) -> tuple[list[Mapping[int, Row]], BenchFrame]:
    """The verdicts of each judge on the answers of a half, and what these stand for."""
    half = [row for row in results if teaches(row["ref"]) is teaching]
    once = [row["cell"] for row in half if row["judge"] == learning.judges[0]]
    of_half, places = frame.of_cells(once)
    by_judge: list[Mapping[int, Row]] = [
        {
            row["position"]: {**row, "cell": places[row["cell"]]}
            for row in half
            if row["judge"] == judge
        }
        for judge in learning.judges
    ]
    return by_judge, of_half


def _changes(
    learning: Learning, rows: Sequence[Mapping[int, Row]], frame: BenchFrame
) -> Iterator[_Judged]:
    """The judge with examples, and where it has no guarantee the present one with a threshold; each
    with the threshold that agrees most."""
    if learning.candidate:
        yield _with_threshold(_Judged(rows[1], HIGH_CORRECTNESS, "examples"), frame)
    if learning.threshold is None:
        found = _with_threshold(_Judged(rows[0], HIGH_CORRECTNESS, "threshold"), frame)
        if found.threshold > HIGH_CORRECTNESS:
            yield found


def _with_threshold(judged: _Judged, frame: BenchFrame) -> _Judged:
    """The lowest of those that agree most, which may be the one that leaves all high."""
    gained, most, threshold = 0.0, 0.0, judged.threshold
    score_of = itemgetter("score")
    highs = sorted(filter(judged.is_high, judged.rows.values()), key=score_of)
    for score, rows in groupby(highs, score_of):
        if gained > most + _ROUNDING:
            most, threshold = gained, score
        for row in rows:
            weight = frame.weight(row["cell"])
            gained += weight if row["hallucinated"] else -weight
    return replace(judged, threshold=threshold)


def _compared(first: _Judged, second: _Judged, frame: BenchFrame) -> BothMeans:
    cells: defaultdict[int, list[int]] = defaultdict(list)
    for position, row in first.rows.items():
        cells[row["cell"]].append(position)
    found = paired_shares(
        [
            paired_cell(
                [first.agrees(first.rows[each]) for each in positions],
                [second.agrees(second.rows[each]) for each in positions],
                answers=frame.cells[cell].answers,
                labels=frame.cells[cell].labels,
            )
            for cell, positions in cells.items()
        ]
    )
    return BothMeans.from_means(found)
