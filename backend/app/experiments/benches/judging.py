"""One judge and one labelled answer, as the product would judge it."""

import asyncio
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any
from weakref import WeakKeyDictionary

from app.ai_router.estimate import CallsEstimate, PricedModel
from app.ai_router.types import ChatRouter
from app.experiments.benches.labelled import LabelledItem
from app.experiments.benches.request import BenchRequest, judge_and_prompt
from app.experiments.models import JudgeBenchItem
from app.judges.answer import AnswerToJudge, Confidence, SearchQAEvaluation
from app.judges.answer_parts import answer_parts
from app.judges.estimate import TextBytes, estimate_calls, verdict_calls
from app.judges.judge_names import RULES_MODEL, is_detector
from app.judges.local.judge import LocalJudge
from app.judges.model.one_call import OneCallJudge
from app.judges.phases.groundedness import Phase3Result
from app.judges.prompts.one_call import OneCallPrompt
from app.judges.published import llm_judge as judge_by_rules
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

Routers = Callable[[str], ChatRouter]
Detectors = Callable[[str], LocalJudge]

# One answer at a time in a process, or the time measured would be that of waiting for a core.
_alone: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Semaphore] = WeakKeyDictionary()


@dataclass(frozen=True, slots=True)
class Judged:
    """score: the correctness, 0 to 1, None when the judge gave none, and then `error` says why.
    spans: the unsupported places, None where none were requested or given. confidence: the level
    that the verdict would be stored with; None where there was no verdict. decided: False where
    rules could not tell."""

    score: float | None
    spans: tuple[Span, ...] | None
    usage: Usage
    latency_ms: float
    error: str | None = None
    confidence: Confidence | None = None
    decided: bool | None = None

    def columns(self) -> dict[str, Any]:
        return {
            "score": self.score,
            "spans": None if self.spans is None else [list(span) for span in self.spans],
            **asdict(self.usage),
            "latency_ms": self.latency_ms,
            "error": self.error,
            "confidence": self.confidence,
            "decided": self.decided,
        }


async def judge_answer(
    item: JudgeBenchItem,
    judge: str,
    routers: Routers,
    detectors: Detectors,
    *,
    own: Mapping[str, OneCallPrompt],
    key: uuid.UUID,
    spans: bool,
    last_try: bool,
) -> Judged:
    """The judge's verdict by the evaluator that judges readers' answers.

    own: the texts of the workspace's prompts by version.
    spans: whether the places of a model's unsupported claims are kept; only where people have
    marked places. key: names the bench, so that a repeated request is an equal
    one. What no other try can fix, and everything on the last try, is an error of the judge;
    before it TransientProviderError is raised.
    """
    if judge == RULES_MODEL:
        return await _by_rules(item)
    if is_detector(judge):
        return await _by_detector(item, judge, detectors)
    score, places, error, level = None, None, None, None
    start = time.perf_counter()
    router: MeteredRouter | None = None
    try:
        model, prompt = judge_and_prompt(judge)
        router = MeteredRouter(routers(model))
        score, places, level = await _by_model(item, router, key, own.get(prompt, prompt))
    except ProviderError as failure:
        if _may_pass(failure) and not last_try:
            raise
        # An error may quote what a model server sent.
        error = storable(f"{failure.kind}: {failure}")
    took = (time.perf_counter() - start) * 1000
    usage = router.take_usage() if router else Usage()
    wanted = spans and item.spans is not None
    return Judged(score, places if wanted else None, usage, took, error, level)


def _may_pass(failure: ProviderError) -> bool:
    """An unreadable reply was requested twice already."""
    return isinstance(failure, TransientProviderError) and not isinstance(failure, MalformedOutput)


async def _by_rules(item: JudgeBenchItem) -> Judged:
    alone = _alone.setdefault(asyncio.get_running_loop(), asyncio.Semaphore(1))
    async with alone:
        return await asyncio.to_thread(judge_by_rules_now, item)


def judge_by_rules_now(item: JudgeBenchItem | LabelledItem) -> Judged:
    """The verdict of the rules. Blocks for some milliseconds."""
    start = time.perf_counter()
    found = judge_by_rules.faithfulness_by_rules(_subject(item))
    took = (time.perf_counter() - start) * 1000
    level = _level(found.evaluation, found.spans)
    decided = found.evaluation.decided if found.evaluation else None
    return Judged(found.score, found.spans, Usage(), took, confidence=level, decided=decided)


async def _by_detector(item: JudgeBenchItem, judge: str, detectors: Detectors) -> Judged:
    alone = _alone.setdefault(asyncio.get_running_loop(), asyncio.Semaphore(1))
    found, error = None, None
    async with alone:
        start = time.perf_counter()
        try:
            found = await detectors(judge).judge(_subject(item))
        except ProviderError as failure:
            error = storable(f"{failure.kind}: {failure}")
        took = (time.perf_counter() - start) * 1000
    if found is None:
        return Judged(None, None, Usage(), took, error)
    places = _unsupported(found.groundedness)
    level = _level(found.evaluation, places)
    return Judged(found.evaluation.correctness, places, Usage(), took, confidence=level)


async def _by_model(
    item: JudgeBenchItem, router: ChatRouter, key: uuid.UUID, prompt: str | OneCallPrompt
) -> tuple[float, tuple[Span, ...], Confidence | None]:
    """correctness, the unsupported places, which come from the same reply, and the confidence."""
    judge = OneCallJudge(router, load_pack("generic"), fence_key=key.bytes, prompt=prompt)
    found = await judge.judge(_subject(item), EVALUATORS)
    assert found.evaluation is not None, "no item has blank passages only"
    claims = found.feedback and found.feedback.phase3
    places = _unsupported(claims) if claims else ()
    return found.evaluation.correctness, places, _level(found.evaluation, places)


def _level(
    evaluation: SearchQAEvaluation | None, unsupported: Sequence[Span] | None
) -> Confidence | None:
    """As verdicts are stored: never high beside an unsupported claim."""
    if evaluation is None:
        return None
    stored = cap_confidence(evaluation, None).confidence
    return "medium" if stored == "high" and unsupported else stored


def _unsupported(found: Phase3Result) -> tuple[Span, ...]:
    return tuple(
        (claim.start, claim.end)
        for claim in found.claims
        if claim.verdict == "unsupported" and claim.start is not None and claim.end is not None
    )


def _subject(item: JudgeBenchItem | LabelledItem) -> AnswerToJudge:
    return AnswerToJudge.from_texts(
        item.question, item.answer, item.passages, lang=lang_of(item.lang)
    )


def estimate_bench(
    items: Sequence[LabelledItem],
    request: BenchRequest,
    own: Mapping[str, OneCallPrompt],
    settings: Settings,
) -> CallsEstimate:
    """own: as of `own_prompts`. Blocks for a moment with thousands of answers. Raises
    ConfigurationError."""
    named = map(judge_and_prompt, request.asked())
    judges = [(PricedModel.of(model, settings), own.get(prompt, prompt)) for model, prompt in named]
    total = CallsEstimate()
    for item in items if judges else ():
        texts = _texts(item)
        for model, prompt in judges:
            calls = verdict_calls(EVALUATORS, item.lang, prompt)
            total += estimate_calls(calls, texts, model)
    return total


def _texts(item: LabelledItem) -> TextBytes:
    return TextBytes(
        question=len(item.question.encode()),
        answer=len(item.answer.encode()),
        notes=sum(len(passage.encode()) for passage in item.passages),
        parts=len(answer_parts(item.answer)),
    )
