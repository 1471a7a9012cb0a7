"""The checklists of each feature, as questions answered yes or no, and their judge by a model."""

import json
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, Field

from app.ai_router.types import ChatRouter, Lang
from app.judges.answer import AnswerToJudge
from app.judges.model.ask_judge import JudgeReply, JudgeText, ask_judge, output_schema, parse_reply
from app.judges.prompts.phases import build_checklist
from app.platform.errors import MalformedOutput


@dataclass(frozen=True, slots=True)
class QualityChecklist:
    """`min_pass_ratio` is the share of items, 0 to 1, that a good reply must meet."""

    items: tuple[str, ...]
    min_pass_ratio: float


MIN_PASS_RATIO = 0.75
_ITEMS = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))
CHECKLISTS: Mapping[str, Mapping[Lang, QualityChecklist]] = {
    feature: {lang: QualityChecklist(tuple(each), MIN_PASS_RATIO) for lang, each in items.items()}
    for feature, items in _ITEMS.items()
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
            build_checklist(subject, checklist.items, self._fence_key),
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
