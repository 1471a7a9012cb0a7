"""What a bench has found, as readers get it and as it is stored."""

from pydantic import BaseModel, ConfigDict


class _Read(BaseModel):
    model_config = ConfigDict(from_attributes=True)


class Interval(_Read):
    """95 % of the resampled figures lie between them."""

    low: float
    high: float


class Estimate(_Read):
    """A figure and its 95 % bootstrap interval; null where the answers do not allow one."""

    value: float | None
    interval: Interval | None


class Confusion(_Read):
    true_positives: int
    false_positives: int
    false_negatives: int
    true_negatives: int


class Spans(_Read):
    """Characters that people and judge marked, over `answers` that both marked."""

    answers: int
    precision: float | None
    recall: float | None
    f1: float | None


class Bin(_Read):
    """Answers whose correctness lies from `low` to `high`, what the judge said on average, and the
    share that people found grounded."""

    low: float
    high: float
    answers: int
    mean_score: float | None
    grounded: float | None


class JudgeFigures(BaseModel):
    """One judge. Positive is "hallucinated", said of an answer whose correctness lies below
    `threshold`. All figures are over the `answers` that have a usable verdict; `failed` are the
    others, and `coverage` is the share of the first. `notes` say what a figure is missing for.

    kappa: quadratic, over wrong, doubtful and right; best_f1: at best_threshold, chosen on these
    very answers; latencies in ms."""

    judge: str
    answers: int
    failed: int
    coverage: float
    hallucinated: int
    threshold: float
    confusion: Confusion
    precision: Estimate
    recall: Estimate
    f1: Estimate
    balanced_accuracy: Estimate
    auroc: Estimate
    kappa: Estimate
    best_f1: float
    best_threshold: float
    spans: Spans | None
    calibration: list[Bin]
    calibration_error: float | None
    brier: float | None
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
