"""The calls of a verdict before they are made, with their tokens by the lengths of the texts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import ceil

from app.ai_router.estimate import CallsEstimate, PricedModel, Tokens, tokens_in
from app.ai_router.types import Lang, Message
from app.judges import checklists as quality_gate
from app.judges.answer import AnswerToJudge
from app.judges.answer_parts import AnswerPart
from app.judges.model.one_call import sections_of
from app.judges.model.reply import MAX_TOKENS as ONE_CALL_TOKENS
from app.judges.model.reply import OUTPUT_NAME as ONE_CALL_NAME
from app.judges.phases import completeness, groundedness_judge
from app.judges.phases import next_steps as next_steps_phase
from app.judges.prompts import (
    answer_relevancy,
    claims,
    faithfulness,
    next_steps,
    nuggets,
    quality_eval,
    search_qa_eval,
)
from app.judges.prompts.one_call import OneCallPrompt, Shown
from app.judges.published import llm_judge
from app.judges.verdict_prompts import resolve_prompt
from app.text.packs.loader import load_pack

# A reply is seldom longer than half of what it may be.
REPLY_SHARE = 0.5
_NOTES_BYTES = 3 * search_qa_eval.NOTES_BUDGET
_KEY = b"length"


@dataclass(frozen=True, slots=True)
class TextBytes:
    """Lengths in bytes of UTF-8 of what is judged, or their means, and in how many parts the
    answer is judged."""

    question: float
    answer: float
    notes: float
    parts: int = 1


@dataclass(frozen=True, slots=True)
class JudgeCall:
    """`prompt_bytes` are sent beside question and answer, which every call has. first: it does not
    depend on the reply of another. purpose: as `ChatRequest.purpose`."""

    purpose: str
    prompt_bytes: int
    max_tokens: int
    notes: bool = False
    in_parts: bool = False
    first: bool = True

    def times(self, parts: int) -> int:
        """How often it is made for an answer in so many parts."""
        return parts if self.in_parts else 1

    def tokens(self, texts: TextBytes, reply_share: float = REPLY_SHARE) -> Tokens:
        notes = min(texts.notes, _NOTES_BYTES) if self.notes else 0
        answer = texts.answer / self.times(texts.parts)
        prompt = tokens_in(self.prompt_bytes + texts.question + answer + notes)
        return Tokens(prompt, ceil(self.max_tokens * reply_share))


def estimate_calls(
    calls: Sequence[JudgeCall], texts: TextBytes, model: PricedModel, answers: int = 1
) -> CallsEstimate:
    """What the calls for `answers` alike will take."""
    estimates = (
        model.estimate(call.tokens(texts), answers * call.times(texts.parts), in_batch=call.first)
        for call in calls
    )
    return sum(estimates, CallsEstimate())


@lru_cache(maxsize=256)
def verdict_calls(
    evaluators: tuple[str, ...], lang: Lang, judge_prompt: str | OneCallPrompt | None = None
) -> tuple[JudgeCall, ...]:
    """The calls of these evaluators; those that ask no model have none. judge_prompt: the verdict's
    own prompt or its version, None for the usual one. A workspace's of which only the version is
    given is taken to be as long as it may be."""
    if "search_qa" in evaluators:
        own = tuple(name for name in evaluators if name.endswith(":model"))
        prompt = resolve_prompt(judge_prompt)
        return (_one_call(prompt, evaluators, lang), *verdict_calls(own, lang, judge_prompt))
    blank = AnswerToJudge("", "", lang=lang)
    checklist = quality_gate.CHECKLISTS["search_qa"][lang].items
    calls: Mapping[str, Sequence[JudgeCall]] = {
        "quality_gate": [
            _call(
                quality_gate.OUTPUT.name,
                quality_eval.build_messages(blank, checklist, _KEY),
                quality_gate.MAX_TOKENS,
            )
        ],
        # Nuggets first, then what supports them.
        "completeness:model": [
            _call(
                completeness.EXTRACTION.name,
                nuggets.build_extraction(blank, [], [], _KEY),
                completeness.MAX_TOKENS,
                notes=True,
            ),
            replace(
                _call(
                    completeness.ASSIGNMENT.name,
                    nuggets.build_assignment(blank, [], _KEY),
                    completeness.MAX_TOKENS,
                ),
                first=False,
            ),
        ],
        "groundedness:model": [
            _call(
                groundedness_judge.OUTPUT.name,
                claims.build_messages(blank, [], [], _KEY),
                groundedness_judge.MAX_TOKENS,
                notes=True,
                in_parts=True,
            )
        ],
        "next_steps:model": [
            _call(
                next_steps_phase.OUTPUT.name,
                next_steps.build_messages(blank, [], [], _KEY),
                next_steps_phase.MAX_TOKENS,
            )
        ],
    }
    return tuple(call for name in evaluators for call in calls.get(name, ()))


def _one_call(prompt: OneCallPrompt, evaluators: tuple[str, ...], lang: Lang) -> JudgeCall:
    """As where the domain pack has neither nuggets nor next steps, which the model then finds."""
    sections = sections_of(evaluators, load_pack("generic"), lang)
    shown = Shown("", [""], [""], [], AnswerPart(1, 1, 0, ""))
    messages = prompt.build_messages(shown, sections, lang, _KEY)
    return _call(ONE_CALL_NAME, messages, ONE_CALL_TOKENS, notes=True, in_parts=True)


def run_calls(lang: Lang) -> tuple[JudgeCall, ...]:
    """The calls that judge an answer of a run: faithfulness, and relevancy without the notes."""
    blank = AnswerToJudge("", "", lang=lang)
    return (
        _call(
            llm_judge.FAITHFULNESS_OUTPUT.name,
            faithfulness.build_messages(blank, _KEY),
            llm_judge.MAX_TOKENS,
            notes=True,
            in_parts=True,
        ),
        _call(
            llm_judge.RELEVANCY_OUTPUT.name,
            answer_relevancy.build_messages(blank, _KEY),
            llm_judge.MAX_TOKENS,
        ),
    )


def _call(
    purpose: str,
    messages: Sequence[Message],
    max_tokens: int,
    *,
    notes: bool = False,
    in_parts: bool = False,
) -> JudgeCall:
    sent = sum(len(message.content.encode()) for message in messages)
    return JudgeCall(purpose, sent, max_tokens, notes, in_parts)
