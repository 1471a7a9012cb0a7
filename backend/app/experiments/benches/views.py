"""Judge benches as readers get them."""

import datetime as dt
import uuid
from typing import Literal

from pydantic import BaseModel

from app.experiments.benches.figures import BenchSummary, Told
from app.experiments.benches.frame import BenchFrame
from app.experiments.benches.labelled import BadLine
from app.platform.db.page import Listed, Page
from app.platform.jobs.run_status import RunStatus
from app.quality.metrics.statistics import Estimate


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
