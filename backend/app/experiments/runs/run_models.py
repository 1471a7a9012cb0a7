"""The answer model and the judge of a run, from the request or the policy, and their price."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Self

from app.ai_router import estimate
from app.ai_router.prompts.answers import search_qa_messages
from app.ai_router.router import Providers
from app.ai_router.types import EXTRACTIVE, OFFLINE, Lang
from app.experiments.datasets.service import DatasetDetail
from app.experiments.models import EvaluationType
from app.judges.estimate import RUN_PROMPTS, TWO_PROMPTS, TextBytes, estimate_calls, score_calls
from app.judges.judge_names import is_detector, prompted_judge, takes_prompts
from app.judges.prompts.one_call import OneCallPrompt
from app.judges.rules.judge import RULES_VERSION
from app.platform.errors import ConfigurationError, Forbidden, InvalidRequest
from app.platform.settings import Settings
from app.quality.rejudging.queries import Judge
from app.verdicts.answers.finished import ANSWER_MAX_TOKENS
from app.verdicts.policy.evaluation_policy import EvaluationPolicy
from app.verdicts.policy.service import unpriced

# Where there is no answer yet: a chunk as the importers cut it, and a short answer (characters).
CHUNK_CHARS = 600
ANSWER_CHARS = 400


@dataclass(frozen=True, slots=True)
class RunModels:
    """`provider:model` of the answer and of its judge; prompt: one of RUN_PROMPTS, one of
    the workspace, of which `own` is the text, or the version of the rules, None where a run of
    earlier has not stored it. criteria: references of the workspace's own."""

    answer_model: str
    judge_model: str
    prompt: str | None
    own: OneCallPrompt | None = None
    criteria: tuple[str, ...] = ()

    @property
    def judge_prompt(self) -> str | OneCallPrompt | None:
        """The prompt of the judge: the text of the workspace's own, else a version."""
        return self.own or self.prompt

    @classmethod
    def resolve(
        cls,
        answer_model: str | None,
        judge_model: str | None,
        prompt: str | None,
        policy: EvaluationPolicy,
        settings: Settings,
        own: OneCallPrompt | None = None,
    ) -> Self:
        """None is what the policy says; of the answer model, of which it says nothing, what the
        settings say. own: the text of the prompt where it is one of the workspace. Raises
        InvalidRequest for what this server cannot do."""
        if judge_model is not None and is_detector(judge_model.strip()):
            raise InvalidRequest.worded("detector-gives-no-scores", judge=judge_model)
        judge = Judge.asked_for(judge_model or prompted_judge(policy.judge_model), None, settings)
        answering = _checked_answer_model(answer_model or settings.answering.model, settings)
        own = own if takes_prompts(judge.model) else None
        prompt = prompt or _usual_prompt(judge.model, policy)
        known = RUN_PROMPTS if takes_prompts(judge.model) else (RULES_VERSION,)
        if prompt not in known and own is None:
            raise InvalidRequest.worded(
                "no-such-run-prompt", judge=judge.model, prompt=prompt, known=", ".join(known)
            )
        return cls(answering, judge.model, prompt, own, policy.criteria)

    @classmethod
    def search_only(cls, policy: EvaluationPolicy, settings: Settings) -> Self:
        """For a run of the search alone, which asks none of them: they need not be configured."""
        judge_model = prompted_judge(policy.judge_model)
        return cls(settings.answering.model, judge_model, _usual_prompt(judge_model, policy))

    def check_allowed(self, policy: EvaluationPolicy, settings: Settings, *, admin: bool) -> None:
        """Raises Forbidden for a model that the workspace's policy does not name, unless an admin
        asks for it or it is the server's answer model, and InvalidRequest for one without a price
        where there is a budget."""
        if self.judge_model != prompted_judge(policy.judge_model):
            Judge(self.judge_model, None).check_allowed(policy, admin=admin)
        allowed = (settings.answering.model, *policy.judges)
        if self.answer_model not in allowed and not admin:
            names = ", ".join(dict.fromkeys(allowed))
            raise Forbidden.worded(
                "answer-model-not-in-policy", names=names, model=self.answer_model
            )
        if policy.document.daily_budget_usd is not None:
            models = {"judge_model": self.judge_model, "answer_model": self.answer_model}
            for field, model in models.items():
                if not policy.prices.known(model):
                    raise unpriced(model, field)


def _checked_answer_model(model: str, settings: Settings) -> str:
    try:
        name = Providers(settings).check(model)
    except ConfigurationError as error:
        raise InvalidRequest(str(error), code="no-such-answer-model") from None
    if name.provider == OFFLINE and name.model != EXTRACTIVE:
        raise InvalidRequest.worded(
            "judges-and-does-not-answer", model=model, provider=OFFLINE, answerer=EXTRACTIVE
        )
    return str(name)


def _usual_prompt(judge_model: str, policy: EvaluationPolicy) -> str:
    return (policy.judge_prompt or TWO_PROMPTS) if takes_prompts(judge_model) else RULES_VERSION


def estimate_run_cost(
    dataset: DatasetDetail,
    k: int,
    evaluation_type: EvaluationType,
    models: RunModels,
    settings: Settings,
) -> estimate.CallsEstimate:
    """No call of a model for retrieval_only, three a case for full_rag, two where the prompt is one
    of verdicts. Errs upwards: every chunk is taken to be as long as chunks get. Raises
    ConfigurationError."""
    if evaluation_type is EvaluationType.RETRIEVAL_ONLY:
        return estimate.CallsEstimate()
    questions = [len(case.question.encode()) for case in dataset.test_cases]
    korean = sum(case.lang == "ko" for case in dataset.test_cases)
    lang: Lang = "ko" if 2 * korean >= len(questions) else "en"
    searched = k * CHUNK_CHARS * estimate.BYTES_PER_CHAR[lang]
    notes = [
        sum(len(note.content.encode()) for note in case.notes) or searched
        for case in dataset.test_cases
    ]
    texts = TextBytes(
        question=sum(questions) / max(1, len(questions)),
        answer=ANSWER_CHARS * estimate.BYTES_PER_CHAR[lang],
        notes=sum(notes) / max(1, len(notes)),
    )
    answering = estimate.PricedModel.from_name(models.answer_model, settings)
    judging = estimate.PricedModel.from_name(models.judge_model, settings)
    answers = answering.estimate(answer_tokens(texts, lang), dataset.cases)
    calls = score_calls(models.judge_prompt, lang, models.criteria)
    return answers + estimate_calls(calls, texts, judging, dataset.cases)


def max_case_cost(
    question: str, notes: Sequence[str], lang: Lang, models: RunModels, settings: Settings
) -> Decimal | None:
    """US dollars for a case whose notes are found, every reply as long as it may be and nothing
    asked twice; None where a price is unknown. Raises ConfigurationError."""
    texts = TextBytes(
        question=len(question.encode()),
        answer=ANSWER_MAX_TOKENS * estimate.BYTES_PER_TOKEN,
        notes=sum(len(note.encode()) for note in notes),
    )
    answer = replace(answer_tokens(texts, lang), completion=ANSWER_MAX_TOKENS)
    judging = estimate.PricedModel.from_name(models.judge_model, settings)
    calls = score_calls(models.judge_prompt, lang, models.criteria)
    judged = (judging.estimate(call.tokens(texts, reply_share=1)) for call in calls)
    answering = estimate.PricedModel.from_name(models.answer_model, settings)
    return sum(judged, answering.estimate(answer)).cost_usd


def answer_tokens(texts: TextBytes, lang: Lang) -> estimate.Tokens:
    """Of the call that answers a question from its notes."""
    sent = sum(
        len(message.content.encode()) for message in search_qa_messages("", [("", "")], lang)
    )
    return estimate.Tokens(
        estimate.tokens_in(sent + texts.question + texts.notes), estimate.tokens_in(texts.answer)
    )
