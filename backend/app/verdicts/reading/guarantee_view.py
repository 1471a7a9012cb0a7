"""What a judge's guarantee says of one verdict, as readers get it."""

import datetime as dt
from collections.abc import Mapping
from typing import Any, Self

from pydantic import BaseModel

from app.verdicts.policy.guarantee import GuaranteeState


class GuaranteeView(BaseModel):
    """What people's labels promise of a verdict with high confidence: of answers that this judge
    calls high with a correctness of at least `threshold`, at least a share `precision` is right,
    with this confidence; all 0 to 1. labels, labels_right: what it was tested on, at
    `calibrated_at`.

    state: holds; below: the verdict is older than the guarantee and its score below the threshold;
    lapsed: the guarantee is for another judge, or another version of its prompt.
    """

    state: GuaranteeState
    precision: float
    confidence: float
    threshold: float
    labels: int
    labels_right: int
    calibrated_at: dt.datetime

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> Self | None:
        if (found := row["guarantee"]) is None:
            return None
        state: GuaranteeState = "lapsed"
        if found["holds_for"]:
            state = "holds" if row["correctness"] >= found["threshold"] else "below"
        return cls(state=state, **found)
