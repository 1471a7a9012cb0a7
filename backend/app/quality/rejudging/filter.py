"""The filter of answers to judge again."""

import datetime as dt
import uuid
from typing import Annotated, Any, Literal

from pydantic import (
    AwareDatetime,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StrictBool,
    StringConstraints,
)

from app.ai_router.types import Lang
from app.platform.db.owned_queries import MAX_SELECTED
from app.verdicts.status import Status

_Name = Annotated[str, StringConstraints(min_length=1, max_length=200, pattern=r"^[^\x00]+$")]
_Ids = Annotated[tuple[uuid.UUID, ...], Field(min_length=1, max_length=MAX_SELECTED)]
_Score = Annotated[float, Field(ge=0, le=1, strict=True)]


def _written(value: object) -> object:
    """pydantic alone also accepts a number as a time."""
    if isinstance(value, int | float):
        raise ValueError("must be a time as in 2026-01-31T09:00:00Z")  # noqa: TRY004  what pydantic understands
    return value


_Time = Annotated[AwareDatetime, BeforeValidator(_written)]


class RejudgeFilter(BaseModel):
    """Conditions on an answer and its current verdict, all of which must hold; what is left out
    does not filter. `since` and `until` are of the answer, `until` excluded; the scores are upper
    bounds, excluded; judge_model and prompt_version are those of the current verdict.
    evaluation_ids: only the answers of these, whichever of an answer's evaluations is named."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    since: _Time | None = None
    until: _Time | None = None
    status: Literal[Status.SUCCEEDED, Status.FAILED, Status.SKIPPED] | None = None
    confidence: Literal["high", "medium", "low"] | None = None
    degraded: StrictBool | None = None
    needs_improvement: StrictBool | None = None
    feature: _Name | None = None
    lang: Lang | None = None
    notebook_id: uuid.UUID | None = None
    judge_model: _Name | None = None
    prompt_version: _Name | None = None
    correctness_below: _Score | None = None
    utility_below: _Score | None = None
    overall_below: _Score | None = None
    evaluation_ids: _Ids | None = None

    @property
    def empty(self) -> bool:
        return not self.model_dump(exclude_none=True)

    @property
    def of_answers(self) -> bool:
        """Whether it needs columns of the answers."""
        return bool(self.feature or self.lang or self.notebook_id)

    def until_now(self) -> "RejudgeFilter":
        """The same for the answers that there are now: a job that is begun again must not find
        more than it was asked for."""
        now = dt.datetime.now(dt.UTC)
        return self.model_copy(update={"until": min(self.until or now, now)})

    def parameters(self) -> dict[str, Any]:
        """For the statements of rejudging/queries.py."""
        given = self.model_dump()
        ids = None if self.evaluation_ids is None else list(self.evaluation_ids)
        return given | {"status": self.status and self.status.value, "evaluation_ids": ids}
