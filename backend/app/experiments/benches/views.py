"""Judge benches as readers get them."""

import datetime as dt
import uuid
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, Field

from app.experiments.parts import CriterionMean
from app.platform.db.owned_queries import Listed, Page
from app.platform.jobs.status import RunStatus
from app.quality.metrics.agreement import Steadiness
from app.quality.metrics.judge import BenchFigures, PairedMeans
from app.quality.metrics.statistics import Estimate, Interval


class CellSize(BaseModel):
    """Stored answers with one chance of being drawn, and how many labels of theirs a bench has."""

    answers: int
    labels: int


class BenchFrame(BaseModel):
    """answers: stored ones that a draw could have picked. cells: those of them with labels in the
    bench; each label weighs the answers of its cell over the labels of its cell. strata: parts of
    draws without a label, which nothing here is said of."""

    answers: int
    cells: list[CellSize]
    strata: list[str]

    @property
    def covered(self) -> int:
        """Answers that the labels stand for."""
        return sum(cell.answers for cell in self.cells)

    @property
    def labels(self) -> int:
        return sum(cell.labels for cell in self.cells)

    def weight(self, cell: int) -> float:
        """Answers that each label of the cell stands for."""
        return self.cells[cell].answers / self.cells[cell].labels

    def of_cells(self, cells: Sequence[int | None]) -> "tuple[BenchFrame, dict[int | None, int]]":
        """The frame of the labels in these cells, and the place in it of each cell."""
        labels = Counter(cells)
        held = sorted(cell for cell in labels if cell is not None)
        sizes = [CellSize(answers=self.cells[n].answers, labels=labels[n]) for n in held]
        return self.model_copy(update={"cells": sizes}), {n: at for at, n in enumerate(held)}

    @property
    def weighted(self) -> bool:
        """Whether some labels stand for more answers than others."""
        return len({round(cell.answers / cell.labels, 6) for cell in self.cells}) > 1


class JudgeFigures(BenchFigures):
    """One judge. Positive is "hallucinated", said of an answer whose correctness lies below
    `threshold`. All figures are over the `answers` that have a usable verdict; `failed` are the
    others, and `coverage` is the share of the first. `notes` say what a figure is missing for.

    kappa: quadratic, over wrong, doubtful and right; best_f1: at best_threshold, chosen on these
    very answers; latencies in ms. steadiness: where each answer was judged more than once.
    criteria: the workspace's own that were in force when the bench began."""

    judge: str
    coverage: float
    steadiness: Steadiness | None = None
    criteria: list[CriterionMean] = Field(default_factory=list)
    cost_usd: float | None
    cost_per_answer_usd: float | None
    prompt_tokens: int | None
    completion_tokens: int | None
    latency_median_ms: float | None
    latency_p95_ms: float | None
    first_error: str | None
    notes: list[str]


class JudgeDifference(BaseModel):
    """The second judge less the first, on the `answers` that both have judged. The interval is
    that of a paired bootstrap; `significant` when it does not hold 0."""

    first: str
    second: str
    name: str
    answers: int
    difference: float | None
    interval: Interval | None
    significant: bool


class Told(BaseModel):
    """A sentence or two, in English and Korean."""

    en: str
    ko: str


class BothMeans(BaseModel):
    """A mean of each judge over all answers that the labels stand for, 0 to 1, and the second less
    the first. interval: of the difference; null with too few labels."""

    first: float
    second: float
    difference: float
    interval: Interval | None

    @staticmethod
    def from_means(found: PairedMeans) -> "BothMeans":
        return BothMeans.model_validate(found, from_attributes=True)


Note = Literal["too_few_labels", "labels_alike"]


class Compared(BaseModel):
    """Which of two judges agrees more with people, on the `labels` that both have judged.

    agreement: share of answers that a judge and people both find right, or both do not.
    error: mean distance of the correctness from the label (right 1, partly .65, wrong 0).
    Intervals of agreement hold for all pairs of the bench together at 95 %, and so do those of
    error. costs_per_1000_usd: of answers, the first judge's and the second's, null where not known.
    winner: whose agreement is higher, where the interval leaves out 0. more_labels: how many more
    would tell them apart if the difference is as found, or are missing for an interval; null where
    none are, or more than there can be. note: too_few_labels, labels_alike (all say the same of
    whether the answer is right, so that a judge that always says so wins), else null.
    """

    first: str
    second: str
    labels: int
    agreement: BothMeans
    error: BothMeans
    costs_per_1000_usd: list[float | None]
    winner: str | None
    more_labels: int | None
    note: Note | None


class JudgeComparison(Compared):
    """The same, and in words."""

    sentence: Told


class BenchSummary(BaseModel):
    judges: list[JudgeFigures]
    differences: list[JudgeDifference]
    comparisons: list[JudgeComparison]


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line that is not measured, and why."""

    line: int
    reason: str


class BenchView(Listed):
    """A bench; of `total` verdicts, one for each judge and answer, `done` are there, `failed` of
    them without a score. `items` answers were drawn of the `available` ones by `seed`, and
    `rejected_lines` could not be used. A correctness below `threshold` says "hallucinated".
    `frame` is what the labels stand for; null unless their answers were drawn at random."""

    name: str
    source: Literal["file", "feedback"]
    judges: list[str]
    threshold: float
    judge_spans: bool
    repeats: int
    available: int
    seed: int
    items: int
    hallucinated: int
    rejected_lines: int
    frame: BenchFrame | None
    status: RunStatus
    total: int
    done: int
    failed: int
    error_message: str | None
    created_at: dt.datetime
    updated_at: dt.datetime
    finished_at: dt.datetime | None


class BenchDetail(BenchView):
    """`basis` says which labels it rests on. `summary` is null until the bench is completed."""

    basis: Told
    rejected: list[BadLine]
    summary: BenchSummary | None


class JudgeBrief(BaseModel):
    judge: str
    f1: Estimate
    auroc: Estimate


class BenchRow(BenchView):
    """`figures`, a judge each, are empty until the bench is completed."""

    figures: list[JudgeBrief]


class BenchPage(Page[BenchRow, uuid.UUID]):
    """`next` continues the list; it is null on the last page."""


class BenchEstimate(BaseModel):
    """What a bench would take: answers, calls of models, tokens and US dollars, null where nobody
    knows a price. A reply that cannot be read is asked for once more, which comes on top."""

    items: int
    hallucinated: int
    calls: int
    prompt_tokens: int
    completion_tokens: int
    cost_usd: float | None
    rejected: list[BadLine]
