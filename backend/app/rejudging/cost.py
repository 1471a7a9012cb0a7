"""What judging again will take: calls, tokens and US dollars, before anything is spent."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from math import ceil

from app.ai_router.pricing import cost_usd
from app.ai_router.router import address_of, parse_model_name
from app.ai_router.types import Lang, Message
from app.judges import quality_gate
from app.judges.answer_parts import parts_needed
from app.judges.phases import completeness, groundedness_judge
from app.judges.phases import next_steps as next_steps_phase
from app.judges.prompts import claims, next_steps, nuggets, quality_eval, search_qa_eval
from app.judges.search_qa import evaluator as search_qa_evaluator
from app.settings import Settings
from app.verdicts.policy.evaluation_policy import RULES_MODEL

# Low, so that estimates err upwards. English has about four characters, of a byte each, to a
# token; a Korean character is three bytes and at least two thirds of a token.
BYTES_PER_TOKEN = 4.0
# A reply is seldom longer than half of what it may be.
REPLY_SHARE = 0.5
_NOTES_BYTES = 3 * search_qa_eval.NOTES_BUDGET
_KEY = b"length"


@dataclass(frozen=True, slots=True)
class AnswersAlike:
    """`answers` that need the same evaluators, with the mean lengths of their texts in bytes."""

    evaluators: tuple[str, ...]
    lang: Lang
    answers: int
    question: float
    answer: float
    notes: float

    @property
    def parts(self) -> int:
        """In how many parts they are judged; bytes count as characters in English."""
        return parts_needed(ceil(self.answer / (3 if self.lang == "ko" else 1)))


@dataclass(frozen=True, slots=True)
class RejudgeCost:
    """cost_usd is None where nobody knows it, for the reason in `unpriced`."""

    calls: int
    prompt_tokens: int
    completion_tokens: int
    cost_usd: Decimal | None
    unpriced: str | None


@dataclass(frozen=True, slots=True)
class _Call:
    """`system` is what is sent beside question and answer, which every call has."""

    system: Sequence[Message]
    max_tokens: int
    notes: bool = False
    in_parts: bool = False


def estimate_cost(
    groups: Sequence[AnswersAlike], judge_model: str, judge_prompt: str | None, settings: Settings
) -> RejudgeCost:
    """Each call once: a reply that cannot be used is asked for again, on top. Rules cost
    nothing."""
    calls = prompt_tokens = completion_tokens = 0
    cost: Decimal | None = Decimal(0)
    if judge_model == RULES_MODEL:
        return RejudgeCost(0, 0, 0, cost, None)
    provider, model = parse_model_name(judge_model)
    address = address_of(provider, settings)
    for group in groups:
        for call in _calls(group.evaluators, group.lang, judge_prompt):
            # Priced call by call: the price of a token may depend on how many a call has.
            prompt, completion = _tokens(call, group)
            price = cost_usd(
                provider, model, address, prompt, completion, own=settings.model_prices
            )
            made = group.answers * (group.parts if call.in_parts else 1)
            cost = None if cost is None or price is None else cost + price * made
            calls += made
            prompt_tokens += prompt * made
            completion_tokens += completion * made
    why = (
        None
        if cost is not None
        else f"Neither SEARCHQA_MODEL_PRICES nor the price list has {judge_model}."
    )
    return RejudgeCost(calls, prompt_tokens, completion_tokens, cost, why)


def _tokens(call: _Call, group: AnswersAlike) -> tuple[int, int]:
    notes = min(group.notes, _NOTES_BYTES) if call.notes else 0
    fixed = sum(len(message.content.encode()) for message in call.system)
    answer = group.answer / group.parts if call.in_parts else group.answer
    prompt = ceil((fixed + group.question + answer + notes) / BYTES_PER_TOKEN)
    return prompt, ceil(call.max_tokens * REPLY_SHARE)


def _calls(evaluators: Sequence[str], lang: Lang, judge_prompt: str | None) -> Iterator[_Call]:
    prompt = search_qa_evaluator.PROMPTS[judge_prompt or search_qa_evaluator.PROMPT_VERSION]
    checklist = quality_gate.CHECKLISTS["search_qa"][lang].items
    made: Mapping[str, Sequence[_Call]] = {
        "search_qa": [
            _Call(
                prompt.build_messages("", [""], [""], "", lang, _KEY),
                prompt.max_tokens,
                notes=True,
                in_parts=True,
            )
        ],
        "quality_gate": [
            _Call(
                quality_eval.build_messages("search_qa", checklist, "", [], "", lang, _KEY),
                quality_gate.MAX_TOKENS,
            )
        ],
        "completeness:model": [
            _Call(
                nuggets.build_extraction("", [], [], lang, _KEY),
                completeness.MAX_TOKENS,
                notes=True,
            ),
            _Call(nuggets.build_assignment("", [], "", lang, _KEY), completeness.MAX_TOKENS),
        ],
        "groundedness:model": [
            _Call(
                claims.build_messages("", [], [], "", lang, _KEY),
                groundedness_judge.MAX_TOKENS,
                notes=True,
                in_parts=True,
            )
        ],
        "next_steps:model": [
            _Call(
                next_steps.build_messages("", "", [], [], [], lang, _KEY),
                next_steps_phase.MAX_TOKENS,
            )
        ],
    }
    for name in evaluators:
        yield from made.get(name, ())
