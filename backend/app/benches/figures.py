"""What a bench has found, as readers get it and as it is stored."""

from pydantic import BaseModel

from app.metrics.judge import BenchFigures
from app.metrics.statistics import Interval


class JudgeFigures(BenchFigures):
    """One judge. Positive is "hallucinated", said of an answer whose correctness lies below
    `threshold`. All figures are over the `answers` that have a usable verdict; `failed` are the
    others, and `coverage` is the share of the first. `notes` say what a figure is missing for.

    kappa: quadratic, over wrong, doubtful and right; best_f1: at best_threshold, chosen on these
    very answers; latencies in ms."""

    judge: str
    coverage: float
    cost_usd: float | None
    cost_per_answer_usd: float | None
    prompt_tokens: int | None
    completion_tokens: int | None
    latency_median_ms: float | None
    latency_p95_ms: float | None
    first_error: str | None
    notes: list[str]


class Difference(BaseModel):
    """The second judge less the first, on the `answers` that both have judged. The interval is
    that of a paired bootstrap; `significant` when it does not hold 0."""

    first: str
    second: str
    name: str
    answers: int
    difference: float | None
    interval: Interval | None
    significant: bool


class BenchSummary(BaseModel):
    judges: list[JudgeFigures]
    differences: list[Difference]
