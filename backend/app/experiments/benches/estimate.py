"""What a bench will take before it is started."""

from collections.abc import Mapping, Sequence

from app.ai_router.estimate import CallsEstimate, PricedModel
from app.experiments.benches.judge_prompt import judge_and_prompt
from app.experiments.benches.judging import EVALUATORS
from app.experiments.benches.labelled import LabelledItem
from app.experiments.benches.request import BenchRequest
from app.judges.answer_parts import answer_parts
from app.judges.estimate import TextBytes, estimate_calls, verdict_calls
from app.judges.prompts.one_call import OneCallPrompt
from app.platform.settings import Settings


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
