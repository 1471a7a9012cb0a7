"""The judge of a second verdict: a model and a version of its prompt, a detector, or rules."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

from app.judges.judge_names import RULES_MODEL, check_judge, is_detector, takes_prompts
from app.judges.local.judge import LOCAL_VERSION
from app.judges.prompts.one_call import OneCallPrompt
from app.judges.rules.judge import RULES_VERSION
from app.judges.verdict_prompts import DEFAULT_PROMPT, VERDICT_PROMPTS
from app.platform.errors import ConfigurationError, Forbidden, InvalidRequest
from app.platform.ids import new_id
from app.platform.settings import Settings
from app.verdicts.policy.evaluation_policy import EvaluationPlan, EvaluationPolicy
from app.verdicts.policy.service import unpriced
from app.verdicts.status import Status


@dataclass(frozen=True, slots=True)
class Judge:
    """The chosen judge. `prompt` is a version, None for rules and detectors, which have none; `own`
    its text, where it is one of the workspace and at hand."""

    model: str
    prompt: str | None
    own: OneCallPrompt | None = None

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
            raise InvalidRequest(
                f"{model} answers and does not judge; name {RULES_MODEL} or a model.",
                ko=f"{model}은 평가하지 않습니다. {RULES_MODEL}이나 모델을 지정하세요.",
                code="no-such-judge",
            )
        if is_detector(model):
            return cls(model, None)
        if prompt is not None and prompt not in VERDICT_PROMPTS and own is None:
            raise InvalidRequest(
                f"There is no prompt {prompt!r}; there are {', '.join(VERDICT_PROMPTS)}.",
                ko=f"{prompt!r}라는 프롬프트가 없습니다. {', '.join(VERDICT_PROMPTS)}이 있습니다.",
                code="no-such-prompt",
            )
        return cls(str(name), prompt or DEFAULT_PROMPT, own)

    def check_allowed(self, policy: EvaluationPolicy, *, admin: bool) -> None:
        """Raises Forbidden for a judge that the workspace's policy does not name, unless an admin
        asks for it, and InvalidRequest for one without a price where there is a budget."""
        allowed = policy.judges
        if self.model not in allowed and not admin:
            names = ", ".join(allowed)
            raise Forbidden(
                f"This token may only name judges of the workspace's policy ({names}); {self.model}"
                " takes a token with the scope 'admin'.",
                ko=f"이 토큰은 워크스페이스 정책의 평가 모델({names})만 지정할 수 있습니다."
                f" {self.model}에는 'admin' 권한이 있는 토큰이 필요합니다.",
                code="judge-not-in-policy",
            )
        budget = policy.document.daily_budget_usd
        if budget is not None and not policy.prices.known(self.model):
            raise unpriced(self.model)

    def key(self, evaluators: Sequence[str]) -> str:
        """The judge_key of its verdict."""
        return EvaluationPlan(
            Status.QUEUED, None, tuple(evaluators), self.model, judge_prompt=self.prompt
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
            "evaluators": list(evaluators),
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
    raise InvalidRequest(
        f"{model} judges by {en}, not by prompts, and its one version is {version}; name a model"
        f" that takes prompts as the judge to use {prompt}.",
        ko=f"{model}은 프롬프트가 아니라 {ko} 평가합니다(버전 {version})."
        f" {prompt}을 쓰려면 프롬프트를 쓰는 평가 모델을 지정하세요.",
        code="rules-have-no-prompt",
    )
