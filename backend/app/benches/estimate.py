"""What a bench will take before it is started."""

from collections.abc import Sequence
from decimal import Decimal
from math import ceil

from app.ai_router.types import Message
from app.benches.labelled import LabelledItem
from app.benches.request import BenchRequest
from app.judges.answer_parts import answer_parts
from app.judges.prompts import claims, search_qa_eval
from app.runs.cost import CHARS_PER_TOKEN, Tokens
from app.runs.pricing import priced
from app.settings import Settings

# What replies take by experience: a verdict on a few notes, and a list of some claims.
VERDICT_TOKENS = 350
CLAIMS_TOKENS = 700


def estimate_bench(
    items: Sequence[LabelledItem], request: BenchRequest, settings: Settings
) -> tuple[int, Tokens, Decimal | None]:
    """Calls, tokens and US dollars (None where nobody knows a price), by the very prompts that
    will be sent. Blocks for a moment with thousands of answers. Raises ConfigurationError."""
    asked = request.asked()
    calls = [call for item in items for call in _calls(item, request)] if asked else []
    total = Tokens(0, 0)
    costs: list[Decimal | None] = []
    for judge in asked:
        model = priced(judge, settings)
        for call in calls:
            total = total.plus(call)
            costs.append(model.cost(call))
    known = [cost for cost in costs if cost is not None]
    cost = sum(known, Decimal(0)) if len(known) == len(costs) else None
    return len(costs), total, cost


def _calls(item: LabelledItem, request: BenchRequest) -> list[Tokens]:
    key, titles = b"length", [""] * len(item.passages)
    spans = request.judge_spans and item.spans is not None
    calls: list[Tokens] = []
    for part in answer_parts(item.answer):
        about = (item.question, item.passages, titles, part.text, item.lang, key, part)
        calls.append(_tokens(search_qa_eval.build_messages(*about), item, VERDICT_TOKENS))
        if spans:
            calls.append(_tokens(claims.build_messages(*about), item, CLAIMS_TOKENS))
    return calls


def _tokens(messages: Sequence[Message], item: LabelledItem, reply: int) -> Tokens:
    chars = sum(len(message.content) for message in messages)
    return Tokens(ceil(chars / CHARS_PER_TOKEN[item.lang]), reply)
