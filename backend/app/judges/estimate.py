"""The calls of verdicts and of run scores: estimated by text lengths, and made for runs."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import ceil

from app.ai_router.estimate import CallsEstimate, PricedModel, Tokens, tokens_in
from app.ai_router.types import ChatRouter, Lang, Message
from app.judges import checklists as quality_gate
from app.judges.answer import AnswerToJudge, SearchQAEvaluation
from app.judges.answer_parts import AnswerPart
from app.judges.criteria.criterion import Criterion, CriterionScore, longest
from app.judges.model.one_call import OneCallJudge
from app.judges.model.reply import CRITERION_TOKENS
from app.judges.model.reply import MAX_TOKENS as ONE_CALL_TOKENS
from app.judges.model.reply import OUTPUT_NAME as ONE_CALL_NAME
from app.judges.model.sections import sections_of
from app.judges.phases import completeness, groundedness, next_steps
from app.judges.prompts import phases, search_qa_eval
from app.judges.prompts.one_call import OneCallPrompt, Shown
from app.judges.published import llm_judge
from app.judges.published.llm_judge import JudgeScore, LLMJudge
from app.judges.verdict_prompts import VERDICT_PROMPTS, is_known, resolve_prompt
from app.platform.errors import MalformedOutput
from app.text.packs.loader import load_pack

# A reply is seldom longer than half of what it may be.
REPLY_SHARE = 0.5
_NOTES_BYTES = 3 * search_qa_eval.NOTES_BUDGET
_KEY = b"length"


@dataclass(frozen=True, slots=True)
class TextBytes:
    """Lengths in bytes of UTF-8 of what is judged, or their means, the question's with its history,
    and in how many parts the answer is judged."""

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
                phases.build_checklist(blank, checklist, _KEY),
                quality_gate.MAX_TOKENS,
            )
        ],
        # Nuggets first, then what supports them.
        "completeness:model": [
            _call(
                completeness.EXTRACTION.name,
                phases.build_extraction(blank, [], [], _KEY),
                completeness.MAX_TOKENS,
                notes=True,
            ),
            replace(
                _call(
                    completeness.ASSIGNMENT.name,
                    phases.build_assignment(blank, [], _KEY),
                    completeness.MAX_TOKENS,
                ),
                first=False,
            ),
        ],
        "groundedness:model": [
            _call(
                groundedness.OUTPUT.name,
                phases.build_claims(blank, [], [], _KEY),
                groundedness.MAX_TOKENS,
                notes=True,
                in_parts=True,
            )
        ],
        "next_steps:model": [
            _call(
                next_steps.OUTPUT.name,
                phases.build_next_steps(blank, [], [], _KEY),
                next_steps.MAX_TOKENS,
            )
        ],
    }
    return tuple(call for name in evaluators for call in calls.get(name, ()))


def _one_call(prompt: OneCallPrompt, evaluators: tuple[str, ...], lang: Lang) -> JudgeCall:
    """As where the domain pack has neither nuggets nor next steps, which the model then finds, and
    the workspace's criteria are as long as they may be."""
    criteria = list(filter(None, map(longest, evaluators)))
    sections = sections_of(evaluators, load_pack("generic"), lang, criteria)
    shown = Shown("", [""], [""], [], AnswerPart(1, 1, 0, ""))
    messages = prompt.build_messages(shown, sections, lang, _KEY)
    max_tokens = ONE_CALL_TOKENS + CRITERION_TOKENS * len(criteria)
    return _call(ONE_CALL_NAME, messages, max_tokens, notes=True, in_parts=True)


def run_calls(lang: Lang) -> tuple[JudgeCall, ...]:
    """The calls that judge an answer of a run: faithfulness, and relevancy without the notes."""
    blank = AnswerToJudge("", "", lang=lang)
    return (
        _call(
            llm_judge.FAITHFULNESS_OUTPUT.name,
            phases.build_faithfulness(blank, _KEY),
            llm_judge.MAX_TOKENS,
            notes=True,
            in_parts=True,
        ),
        _call(
            llm_judge.RELEVANCY_OUTPUT.name,
            phases.build_relevancy(blank, _KEY),
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


TWO_PROMPTS = f"{phases.FAITHFULNESS_VERSION}+{phases.RELEVANCY_VERSION}"
# The first is the default.
RUN_PROMPTS = (TWO_PROMPTS, *VERDICT_PROMPTS)
_EVALUATORS = ("search_qa",)


def score_calls(
    prompt: str | OneCallPrompt | None, lang: Lang, criteria: Sequence[str] = ()
) -> Sequence[JudgeCall]:
    """The calls that `score_answer` makes of a model. criteria: references."""
    if not _of_verdicts(prompt):
        return run_calls(lang)
    return verdict_calls((*_EVALUATORS, *criteria), lang, prompt)


async def score_answer(
    router: ChatRouter,
    prompt: str | OneCallPrompt | None,
    question: str,
    answer: str,
    context_chunks: Sequence[str],
    lang: Lang,
    *,
    fence_key: bytes,
    criteria: Sequence[Criterion] = (),
) -> tuple[JudgeScore, JudgeScore, tuple[CriterionScore, ...]]:
    """Faithfulness, answer relevancy, and scores by those criteria that ask a model. prompt: one of
    RUN_PROMPTS, or the text of one of the workspace, which models are sent; only by the prompt of a
    verdict the model is asked criteria.

    By the prompt of a verdict they are its correctness and its utility. Without a chunk there is no
    verdict, and the prompts of runs are sent. Raises ProviderError as LLMJudge does.
    """
    subject = AnswerToJudge.from_texts(question, answer, context_chunks, lang=lang)
    if prompt and _of_verdicts(prompt) and subject.has_notes:
        try:
            one_call = OneCallJudge(
                *(router, load_pack("generic")),
                fence_key=fence_key,
                prompt=prompt,
                criteria=criteria,
            )
            found = await one_call.judge(subject, _EVALUATORS)
        except MalformedOutput as error:
            unusable = JudgeScore(0.0, str(error), parsed=False)
            return unusable, unusable, ()
        assert found.evaluation is not None, "there are notes"
        return *_scores(found.evaluation), found.criteria
    judge = LLMJudge(router, fence_key)
    faithful, relevant = await asyncio.gather(
        judge.score_faithfulness(question, answer, context_chunks, lang),
        judge.score_answer_relevancy(question, answer, lang),
    )
    return faithful, relevant, ()


def _of_verdicts(prompt: str | OneCallPrompt | None) -> bool:
    return isinstance(prompt, OneCallPrompt) or (prompt is not None and is_known(prompt))


def _scores(evaluation: SearchQAEvaluation) -> tuple[JudgeScore, JudgeScore]:
    reasoning = " ".join([evaluation.summary, *evaluation.grounding_issues])
    return (
        JudgeScore(evaluation.correctness, reasoning, parsed=True),
        JudgeScore(evaluation.utility, evaluation.summary, parsed=True),
    )
