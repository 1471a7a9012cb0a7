"""What a bench will take before it is started."""

from collections.abc import Sequence

from app.ai_router.estimate import CallsEstimate, PricedModel
from app.benches.labelled import LabelledItem
from app.benches.request import BenchRequest
from app.judges.answer_parts import answer_parts
from app.judges.estimate import TextBytes, estimate_calls, verdict_calls
from app.settings import Settings


def estimate_bench(
    items: Sequence[LabelledItem], request: BenchRequest, settings: Settings
) -> CallsEstimate:
    """Blocks for a moment with thousands of answers. Raises ConfigurationError."""
    models = [PricedModel.of(judge, settings) for judge in request.asked()]
    return sum(
        (_estimate_item(item, request, model) for item in items for model in models),
        CallsEstimate(),
    )


def _estimate_item(item: LabelledItem, request: BenchRequest, model: PricedModel) -> CallsEstimate:
    spans = request.judge_spans and item.spans is not None
    evaluators = ("search_qa", "groundedness:model") if spans else ("search_qa",)
    texts = TextBytes(
        question=len(item.question.encode()),
        answer=len(item.answer.encode()),
        notes=sum(len(passage.encode()) for passage in item.passages),
        parts=len(answer_parts(item.answer)),
    )
    return estimate_calls(verdict_calls(evaluators, item.lang), texts, model)
