"""Requests to judge answers again: judges, filters, and the SQL that selects and counts."""

import datetime as dt
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, Self

from pydantic import (
    AwareDatetime,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StrictBool,
    StringConstraints,
)
from sqlalchemy import TextClause, text

from app.ai_router.types import Lang
from app.judges.criteria.criterion import with_criteria
from app.judges.judge_names import RULES_MODEL, check_judge, is_detector, takes_prompts
from app.judges.local.judge import LOCAL_VERSION
from app.judges.prompts.one_call import OneCallPrompt
from app.judges.rules.judge import RULES_VERSION
from app.judges.verdict_prompts import DEFAULT_PROMPT, VERDICT_PROMPTS
from app.platform.db.owned_queries import MAX_SELECTED
from app.platform.db.statements import SqlFile, in_list, load_sql
from app.platform.errors import ConfigurationError, Forbidden, InvalidRequest
from app.platform.ids import new_id
from app.platform.settings import Settings
from app.verdicts.policy.evaluation_policy import EvaluationPlan, EvaluationPolicy
from app.verdicts.policy.service import unpriced
from app.verdicts.status import FINAL, UNJUDGED, Status

_SQL = SqlFile(__package__, "queries", final=in_list(FINAL))


@dataclass(frozen=True, slots=True)
class EstimateStatements:
    """The statements of an estimate. At a million answers each reads each verdict once, and the
    answers themselves only where the filter has conditions on them."""

    counts: TextClause
    judged: TextClause
    sample: TextClause

    @classmethod
    def with_condition(cls, matches: str) -> Self:
        return cls(*(text(_load(name, matches)) for name in ("counts", "judged", "sample")))


def _load(name: str, matches: str, **more: str) -> str:
    about = {"current": _SQL("current"), "matches": matches, "unjudged": in_list(UNJUDGED)}
    return load_sql(__package__, name, **about, **more)


BY_VERDICT = EstimateStatements.with_condition(_SQL("of_verdict"))
BY_ANSWER = EstimateStatements.with_condition(_SQL("all_conditions"))
PAGE = text(_load("page", _SQL("all_conditions"), among="true"))
# Reads the chosen answers only.
PAGE_OF_CHOSEN = text(_load("page", _SQL("all_conditions"), among=_SQL("of_chosen")))
ONE = text(_SQL("one"))
FOR_GOOD = text(_SQL("for_good"))
COUNT = text(load_sql(__package__, "progress"))

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
        """The parameters of this module's statements."""
        given = self.model_dump()
        ids = None if self.evaluation_ids is None else list(self.evaluation_ids)
        return given | {"status": self.status and self.status.value, "evaluation_ids": ids}


@dataclass(frozen=True, slots=True)
class Judge:
    """The chosen judge. `prompt` is a version, None for rules and detectors, which have none; `own`
    its text, where it is one of the workspace and at hand. criteria: references of the workspace's
    own, by which it judges in the place of those of earlier verdicts."""

    model: str
    prompt: str | None
    own: OneCallPrompt | None = None
    criteria: tuple[str, ...] = ()

    @classmethod
    def asked_for(
        cls,
        model: str | None,
        prompt: str | None,
        settings: Settings,
        own: OneCallPrompt | None = None,
    ) -> Self:
        """The settings' judge with its usual prompt where none is named. own: the text of `prompt`
        where it is one of the workspace. Raises InvalidRequest for a judge that is not configured
        and for a prompt that there is not."""
        model = (model or settings.judge.model).strip()
        if not takes_prompts(model):
            _refuse_prompt(model, prompt)
        if model == RULES_MODEL:
            return cls(model, None)
        try:
            name = check_judge(model, settings)
        except ConfigurationError as error:
            raise InvalidRequest(str(error), code="no-such-judge") from None
        if name.provider == "offline":
            raise InvalidRequest.worded(
                "answers-and-does-not-judge", model=model, rules=RULES_MODEL
            )
        if is_detector(model):
            return cls(model, None)
        if prompt is not None and prompt not in VERDICT_PROMPTS and own is None:
            raise InvalidRequest.worded(
                "no-such-judge-prompt", prompt=prompt, known=", ".join(VERDICT_PROMPTS)
            )
        return cls(str(name), prompt or DEFAULT_PROMPT, own)

    def check_allowed(self, policy: EvaluationPolicy, *, admin: bool) -> None:
        """Raises Forbidden for a judge that the workspace's policy does not name, unless an admin
        asks for it, and InvalidRequest for one without a price where there is a budget."""
        allowed = policy.judges
        if self.model not in allowed and not admin:
            names = ", ".join(allowed)
            raise Forbidden.worded("judge-not-in-policy", names=names, model=self.model)
        budget = policy.document.daily_budget_usd
        if budget is not None and not policy.prices.known(self.model):
            raise unpriced(self.model)

    def key(self, evaluators: Sequence[str]) -> str:
        """The judge_key of its verdict in the place of one by these evaluators."""
        wanted = with_criteria(evaluators, self.criteria)
        return EvaluationPlan(
            Status.QUEUED, None, wanted, self.model, judge_prompt=self.prompt
        ).judge_key

    @property
    def named(self) -> str:
        """As it is shown to people."""
        return f"{self.model} ({self.prompt or _version(self.model)})"

    def row(
        self, answer_id: uuid.UUID, evaluators: Sequence[str], job_id: uuid.UUID | None = None
    ) -> dict[str, Any]:
        """For `rejudging.add`."""
        return {
            "id": str(new_id()),
            "answer_id": str(answer_id),
            "judge_key": self.key(evaluators),
            "evaluators": with_criteria(evaluators, self.criteria),
            "judge_model": self.model,
            "judge_prompt": self.prompt,
            "job_id": job_id and str(job_id),
        }


def _version(model: str) -> str:
    """The one version of a judge without prompts."""
    return LOCAL_VERSION if is_detector(model) else RULES_VERSION


def _refuse_prompt(model: str, prompt: str | None) -> None:
    """prompt: None, or the judge's own version, which is the only one."""
    version = _version(model)
    if prompt in {None, version}:
        return
    en, ko = ("a detector", "탐지 모델로") if is_detector(model) else ("rules", "규칙으로")
    raise InvalidRequest.worded(
        "judge-has-one-version", model=model, en=en, version=version, prompt=prompt, ko=ko
    )
