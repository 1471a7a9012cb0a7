"""One judge and one labelled answer, as the product would judge it."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import asdict, dataclass, replace
from typing import Any
from weakref import WeakKeyDictionary

from app.ai_router.estimate import CallsEstimate, PricedModel
from app.ai_router.jobs import ModelJobContext
from app.ai_router.types import ChatRouter
from app.experiments.benches.labelled import LabelledItem
from app.experiments.benches.request import BenchRequest, judge_and_prompt
from app.experiments.models import JudgeBenchItem
from app.experiments.parts import criteria_column, is_last_try
from app.judges.answer import AnswerToJudge, Confidence, SearchQAEvaluation
from app.judges.answer_parts import answer_parts
from app.judges.criteria.criterion import Criterion, CriterionScore
from app.judges.estimate import TextBytes, estimate_calls, verdict_calls
from app.judges.judge_names import RULES_MODEL, is_detector
from app.judges.local.judge import local_judge
from app.judges.model.one_call import OneCallJudge
from app.judges.phases.groundedness import Phase3Result
from app.judges.prompts.one_call import OneCallPrompt
from app.judges.published.llm_judge import faithfulness_by_rules
from app.platform.db.statements import storable
from app.platform.errors import MalformedOutput, ProviderError, TransientProviderError
from app.platform.settings import Settings
from app.quality.metrics.agreement import Span
from app.text.language import lang_of
from app.text.packs.loader import load_pack
from app.verdicts.judging.reply_cache import MeteredRouter
from app.verdicts.lifecycle.cascade import cap_confidence
from app.verdicts.lifecycle.outcome import Usage

# What models are asked for, in one call.
EVALUATORS = ("search_qa", "groundedness")

# One answer at a time in a process, or the time measured would be that of waiting for a core.
_cores: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Semaphore] = WeakKeyDictionary()

# A verdict, the places of the answer's unsupported claims, and scores by criteria.
_Found = tuple[SearchQAEvaluation, tuple[Span, ...], tuple[CriterionScore, ...]]


@dataclass(frozen=True, slots=True)
class Judged:
    """score: the correctness, 0 to 1, None when the judge gave none, and then `error` says why.
    spans: the unsupported places, None where none were requested or given. confidence: the level
    that the verdict would be stored with; None where there was no verdict. decided: False where
    rules could not tell. scores: of all repeats. criteria: scores by the workspace's own."""

    score: float | None
    spans: tuple[Span, ...] | None
    latency_ms: float
    usage: Usage
    error: str | None = None
    confidence: Confidence | None = None
    decided: bool | None = None
    scores: tuple[float | None, ...] | None = None
    criteria: tuple[CriterionScore, ...] = ()

    def columns(self) -> dict[str, Any]:
        columns = asdict(self)
        usage = columns.pop("usage")
        return {**columns, **usage, "criteria": criteria_column(self.criteria)}


async def judge_answer(
    item: JudgeBenchItem,
    judge: str,
    context: ModelJobContext,
    own: Mapping[str, OneCallPrompt],
    criteria: Sequence[Criterion],
    *,
    spans: bool,
) -> Judged:
    """The judge's verdict by the evaluator that judges readers' answers.

    own: the texts of the workspace's prompts by version. criteria: its own, of which a model scores
    those that ask one. spans: whether the places of a model's unsupported claims are kept; only
    where people have marked places. What no other try can fix, and everything on the last try, is
    an error of the judge; before it TransientProviderError is raised.
    """
    if judge == RULES_MODEL:
        async with _core_lock():
            return await asyncio.to_thread(judge_by_rules, item)
    found, error, router = None, None, None
    settings, local = context.settings, is_detector(judge)
    async with _core_lock() if local else nullcontext():
        start = time.perf_counter()
        try:
            if local:
                found = await _by_detector(item, judge, settings)
            else:
                model, prompt = judge_and_prompt(judge)
                deadline = settings.judge.deadline_seconds
                router = MeteredRouter(context.providers.router(model, deadline=deadline))
                found = await _by_model(item, router, own.get(prompt, prompt), criteria)
        except ProviderError as failure:
            if _is_retryable(failure) and not is_last_try(context):
                raise
            # An error may quote what a model server sent.
            error = storable(f"{failure.kind}: {failure}")
        latency_ms = (time.perf_counter() - start) * 1000
    usage = router.take_usage() if router else Usage()
    if found is None:
        return Judged(None, None, latency_ms, usage, error)
    evaluation, places, scores = found
    kept = places if local or (spans and item.spans is not None) else None
    level = _level(evaluation, places)
    return Judged(
        evaluation.correctness, kept, latency_ms, usage, confidence=level, criteria=scores
    )


async def repeat_answer(judge_once: Callable[[], Awaitable[Judged]], repeats: int) -> Judged:
    """The first verdict of `repeats`, with the scores of all and what all took."""
    judged = [await judge_once() for _ in range(repeats)]
    usage = sum((one.usage for one in judged), Usage())
    return replace(judged[0], scores=tuple(one.score for one in judged), usage=usage)


def _core_lock() -> asyncio.Semaphore:
    return _cores.setdefault(asyncio.get_running_loop(), asyncio.Semaphore(1))


def _is_retryable(failure: ProviderError) -> bool:
    """An unreadable reply was requested twice already."""
    return isinstance(failure, TransientProviderError) and not isinstance(failure, MalformedOutput)


def judge_by_rules(item: JudgeBenchItem | LabelledItem) -> Judged:
    """The verdict of the rules. Blocks for some milliseconds."""
    start = time.perf_counter()
    found = faithfulness_by_rules(subject_of(item))
    latency_ms = (time.perf_counter() - start) * 1000
    if found.evaluation is None:
        return Judged(found.score, found.spans, latency_ms, Usage())
    level, decided = _level(found.evaluation, found.spans), found.evaluation.decided
    return Judged(found.score, found.spans, latency_ms, Usage(), None, level, decided)


async def _by_detector(item: JudgeBenchItem, judge: str, settings: Settings) -> _Found:
    found = await local_judge(judge, settings).judge(subject_of(item))
    assert found is not None, "no item has blank passages only"
    return found.evaluation, _unsupported(found.groundedness), ()


async def _by_model(
    item: JudgeBenchItem,
    router: ChatRouter,
    prompt: str | OneCallPrompt,
    criteria: Sequence[Criterion],
) -> _Found:
    """The fence is that of the bench, so that a repeated request is an equal one."""
    fence = item.bench_id.bytes
    pack = load_pack("generic")
    judge = OneCallJudge(router, pack, fence_key=fence, prompt=prompt, criteria=criteria)
    found = await judge.judge(subject_of(item), EVALUATORS)
    assert found.evaluation is not None, "no item has blank passages only"
    claims = found.feedback and found.feedback.phase3
    return found.evaluation, _unsupported(claims) if claims else (), found.criteria


def _level(evaluation: SearchQAEvaluation, unsupported: Sequence[Span] | None) -> Confidence:
    """As verdicts are stored: never high beside an unsupported claim."""
    stored = cap_confidence(evaluation, None).confidence
    return "medium" if stored == "high" and unsupported else stored


def _unsupported(found: Phase3Result) -> tuple[Span, ...]:
    return tuple(
        (claim.start, claim.end)
        for claim in found.claims
        if claim.verdict == "unsupported" and claim.start is not None and claim.end is not None
    )


def subject_of(item: JudgeBenchItem | LabelledItem) -> AnswerToJudge:
    return AnswerToJudge.from_texts(
        item.question, item.answer, item.passages, lang=lang_of(item.lang)
    )


def estimate_bench(
    items: Sequence[LabelledItem],
    request: BenchRequest,
    own: Mapping[str, OneCallPrompt],
    settings: Settings,
) -> CallsEstimate:
    """own: as of `usable_prompts`. Blocks for a moment with thousands of answers. Raises
    ConfigurationError."""
    named = map(judge_and_prompt, request.model_judges())
    judges = [
        (PricedModel.from_name(model, settings), own.get(prompt, prompt)) for model, prompt in named
    ]
    total = CallsEstimate()
    for item in items if judges else ():
        texts = TextBytes(
            question=len(item.question.encode()),
            answer=len(item.answer.encode()),
            notes=sum(len(passage.encode()) for passage in item.passages),
            parts=len(answer_parts(item.answer)),
        )
        for model, prompt in judges:
            calls = verdict_calls((*EVALUATORS, *request.criteria), item.lang, prompt)
            for _ in range(request.repeats):
                total += estimate_calls(calls, texts, model)
    return total
