"""What the judges of a cascade said of an answer, as readers get it."""

from pydantic import BaseModel


class CascadeStepView(BaseModel):
    """One judge of a cascade, in the order in which they were asked. decided: its verdict is the
    answer's. sure: its score was beyond its thresholds, null for the last judge, who need not be;
    checked: it was, and the last judge was asked all the same, as a random part is. confidence: of
    its verdict; null with its scores where it had none, and `error` says why. cost_usd: of all its
    calls for this answer."""

    judge_model: str
    prompt_version: str | None
    correctness: float | None
    utility: float | None
    confidence: str | None
    sure: bool | None
    checked: bool
    decided: bool
    cost_usd: float | None
    judge_ms: float | None
    error: str | None
