"""The checklists of each feature, as questions answered yes or no, and their judge by a model."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import BaseModel, Field

from app.ai_router.types import ChatRouter, Lang
from app.judges.answer import AnswerToJudge
from app.judges.model.ask_judge import JudgeReply, JudgeText, ask_judge, output_schema, parse_reply
from app.judges.prompts.quality_eval import build_messages
from app.platform.errors import MalformedOutput


@dataclass(frozen=True, slots=True)
class QualityChecklist:
    """`min_pass_ratio` is the share of items, 0 to 1, that a good reply must meet."""

    items: tuple[str, ...]
    min_pass_ratio: float


CHECKLISTS: Mapping[str, Mapping[Lang, QualityChecklist]] = {
    "search_qa": {
        "ko": QualityChecklist(
            items=(
                "질문에 직접적으로 답변했는가?",
                "검색 결과를 근거로 활용했는가?",
                "출처(노트 제목 등)를 명시했는가?",
                "불확실한 부분을 솔직히 표시했는가?",
            ),
            min_pass_ratio=0.75,
        ),
        "en": QualityChecklist(
            items=(
                "Does it answer the question directly?",
                "Does it base itself on the search results?",
                "Does it name its sources (note titles or the like)?",
                "Does it say honestly what is uncertain?",
            ),
            min_pass_ratio=0.75,
        ),
    },
    "insight": {
        "ko": QualityChecklist(
            items=(
                "요청한 주제에 초점을 맞추었는가?",
                "주어진 내용에 근거한 통찰인가?",
                "핵심을 알아보기 쉽게 정리했는가?",
                "같은 내용을 되풀이하지 않았는가?",
            ),
            min_pass_ratio=0.75,
        ),
        "en": QualityChecklist(
            items=(
                "Does it stay on the topic that was asked for?",
                "Do its insights rest on the given content?",
                "Are the main points set out so that they are easy to see?",
                "Is it free of repetition?",
            ),
            min_pass_ratio=0.75,
        ),
    },
    "writing": {
        "ko": QualityChecklist(
            items=(
                "요청한 주제를 다루었는가?",
                "요청과 같은 언어로 썼는가?",
                "글이 도중에 끊기지 않고 마무리되었는가?",
                "같은 내용을 되풀이하지 않았는가?",
            ),
            min_pass_ratio=0.75,
        ),
        "en": QualityChecklist(
            items=(
                "Does it deal with the requested topic?",
                "Is it in the language of the request?",
                "Is the text finished, not broken off?",
                "Is it free of repetition?",
            ),
            min_pass_ratio=0.75,
        ),
    },
    "summarize": {
        "ko": QualityChecklist(
            items=(
                "원문의 핵심 내용을 담았는가?",
                "원문에 없는 내용을 더하지 않았는가?",
                "원문보다 뚜렷하게 짧은가?",
                "같은 내용을 되풀이하지 않았는가?",
            ),
            min_pass_ratio=0.75,
        ),
        "en": QualityChecklist(
            items=(
                "Does it hold the main points of the original?",
                "Is it free of anything that the original does not say?",
                "Is it clearly shorter than the original?",
                "Is it free of repetition?",
            ),
            min_pass_ratio=0.75,
        ),
    },
}


MAX_TOKENS = 512


class QualityItem(BaseModel):
    """One item of a checklist, whether the reply meets it, and why."""

    item: str
    passed: bool
    reason: str


class QualityResult(BaseModel):
    """`pass_ratio` is the share of items that passed, 0 to 1."""

    passed: bool
    pass_ratio: float
    items: list[QualityItem]


class _Tick(JudgeReply):
    item: Annotated[int, Field(ge=1)]
    reason: JudgeText
    passed: bool


class _Ticks(JudgeReply):
    items: list[_Tick]


OUTPUT = output_schema("quality_check", _Ticks)


def quality_result(
    checklist: QualityChecklist, verdicts: Sequence[tuple[bool, str]]
) -> QualityResult:
    """The result from (passed, reason) of each item, in the order of the checklist."""
    items = [
        QualityItem(item=item, passed=passed, reason=reason)
        for item, (passed, reason) in zip(checklist.items, verdicts, strict=True)
    ]
    ratio = sum(item.passed for item in items) / len(items)
    return QualityResult(passed=ratio >= checklist.min_pass_ratio, pass_ratio=ratio, items=items)


class QualityJudge:
    """Ticks the checklist of an answer's feature with the model behind `router`.

    fence_key: as for SearchQAJudge.
    """

    def __init__(self, router: ChatRouter, *, fence_key: bytes | None = None) -> None:
        self._router = router
        self._fence_key = fence_key or secrets.token_bytes(32)

    async def judge(self, subject: AnswerToJudge) -> QualityResult | None:
        """The result, or None when the feature has no checklist.

        Raises MalformedOutput when the model fails twice to reply as asked, and any other
        ProviderError of the router.
        """
        if subject.feature not in CHECKLISTS:
            return None
        checklist = CHECKLISTS[subject.feature][subject.lang]
        ticks = await ask_judge(
            self._router,
            build_messages(subject, checklist.items, self._fence_key),
            output=OUTPUT,
            max_tokens=MAX_TOKENS,
            parse=lambda text: _parse(text, len(checklist.items)),
            lang=subject.lang,
        )
        return quality_result(checklist, [(tick.passed, tick.reason.strip()) for tick in ticks])


def _parse(text: str, item_count: int) -> list[_Tick]:
    ticks = sorted(parse_reply(text, _Ticks).items, key=lambda tick: tick.item)
    if [tick.item for tick in ticks] != list(range(1, item_count + 1)):
        reason = f"items must hold each of the {item_count} items exactly once, by its number"
        raise MalformedOutput(reason, body_excerpt=text)
    return ticks
