"""Judge benches as readers get them."""

import datetime as dt
from typing import Literal

from pydantic import BaseModel

from app.benches.figures import BenchSummary
from app.db.page import Listed, Page
from app.jobs.parts import RunStatus
from app.metrics.statistics import Estimate


class BadLineRead(BaseModel):
    line: int
    reason: str


class BenchView(Listed):
    """A bench; of `total` verdicts, one for each judge and answer, `done` are there, `failed` of
    them without a score. `items` answers were drawn of the `available` ones by `seed`, and
    `rejected_lines` could not be used. A correctness below `threshold` says "hallucinated"."""

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
    status: RunStatus
    total: int
    done: int
    failed: int
    error_message: str | None
    created_at: dt.datetime
    updated_at: dt.datetime
    finished_at: dt.datetime | None


class BenchDetail(BenchView):
    """`summary` is null until the bench is completed."""

    rejected: list[BadLineRead]
    summary: BenchSummary | None


class JudgeBrief(BaseModel):
    judge: str
    f1: Estimate
    auroc: Estimate


class BenchRow(BenchView):
    """`figures`, a judge each, are empty until the bench is completed."""

    figures: list[JudgeBrief]


class BenchPage(Page[BenchRow]):
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
    rejected: list[BadLineRead]
