"""Phase 4: what the reader may want to ask or do next. It has no score.

By rules: actions by the tags of the evidence and suggestions by the words of question and answer,
as the domain pack has them. A pack without suggestions gets one for each nugget that the answer
lacks, at most MAX_STEPS.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

from app.ai_router.types import ChatRouter, Lang
from app.judges.answer import AnswerToJudge
from app.judges.model.ask_judge import JudgeReply, ShortText, ask_judge, output_schema, parse_reply
from app.judges.prompts.phases import MAX_STEPS, build_next_steps
from app.text.evidence import Evidence
from app.text.language import folded
from app.text.packs.models import NextStepRules, Suggestion, UrgencyRules

MAX_TOKENS = 512
STEPS_ACCEPTED = 2 * MAX_STEPS

Urgency = Literal["high", "medium", "low"]

_ASK_FOR: Mapping[Lang, str] = {
    "ko": "“{nugget}”에 대해서도 알려 드릴까요?",
    "en": "Would you also like to know about “{nugget}”?",
}


@dataclass(frozen=True, slots=True)
class Phase4Result:
    suggested_queries: list[str]
    action_items: list[str]
    urgency: Urgency


def evaluate_next_steps(
    rules: NextStepRules, subject: AnswerToJudge, missing_nuggets: Sequence[str]
) -> Phase4Result:
    """Phase 4 by the rules of a domain pack."""
    tags, lang = matched_tags(subject.passages), subject.lang
    suggestions = [one.query.in_lang(lang) for one in rules.suggestions if _applies(one, subject)]
    if not rules.suggestions:
        suggestions = [_ASK_FOR[lang].format(nugget=text) for text in missing_nuggets[:MAX_STEPS]]
    return Phase4Result(
        suggested_queries=suggestions,
        action_items=[rule.action.in_lang(lang) for rule in rules.actions if rule.tag in tags],
        urgency=_urgency(rules.urgency, subject.question, tags),
    )


def matched_tags(evidence: Sequence[Evidence]) -> list[str]:
    """The tags of all evidence in order, each once."""
    return list(dict.fromkeys(tag for one in evidence for tag in one.matched_tags))


def _applies(rule: Suggestion, subject: AnswerToJudge) -> bool:
    asked = not rule.question_contains or _holds_any(subject.question, rule.question_contains)
    return asked and not _holds_any(subject.answer, rule.answer_lacks)


def _urgency(rules: UrgencyRules, question: str, tags: Sequence[str]) -> Urgency:
    if _holds_any(question, rules.high_keywords):
        return "high"
    return "medium" if any(tag in tags for tag in rules.medium_tags) else "low"


def _holds_any(text: str, words: Iterable[str]) -> bool:
    plain = folded(text)
    return any(folded(word) in plain for word in words)


class _NextSteps(JudgeReply):
    suggested_queries: Annotated[list[ShortText], Field(max_length=STEPS_ACCEPTED)]
    action_items: Annotated[list[ShortText], Field(max_length=STEPS_ACCEPTED)]
    urgency: Urgency


OUTPUT = output_schema("next_steps", _NextSteps)


async def judge_next_steps(
    router: ChatRouter, subject: AnswerToJudge, missing_nuggets: Sequence[str], key: bytes
) -> Phase4Result:
    """Phase 4 by a model. Raises as judge_groundedness does."""
    steps = await ask_judge(
        router,
        build_next_steps(subject, missing_nuggets, matched_tags(subject.passages), key),
        output=OUTPUT,
        max_tokens=MAX_TOKENS,
        parse=lambda text: parse_reply(text, _NextSteps),
        lang=subject.lang,
    )
    return Phase4Result(
        suggested_queries=steps.suggested_queries[:MAX_STEPS],
        action_items=steps.action_items[:MAX_STEPS],
        urgency=steps.urgency,
    )
