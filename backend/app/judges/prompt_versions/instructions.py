"""What instructions of a judge may be, before they are kept or tried."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

from app.ai_router.prompts.quoting import token_starts
from app.ai_router.types import Lang
from app.judges.prompts.one_call import PLACEHOLDERS, OneCallPrompt
from app.judges.verdict_prompts import (
    MAX_INSTRUCTIONS,
    ONE_CALL_PROMPTS,
    with_instructions,
)
from app.platform.errors import InvalidRequest

_LIKE_A_PLACEHOLDER = re.compile(r"\{\s*+\w*+\s*+\}")
# The lines that code puts around the material.
_FENCE = re.compile(r"</?data\b", re.IGNORECASE)
_NAMES: Mapping[Lang, tuple[str, str]] = {"ko": ("Korean", "한국어"), "en": ("English", "영어")}


@dataclass(frozen=True, slots=True)
class Instructions:
    """The instructions of a prompt: those of the shipped `base` in other words. A language that
    `texts` leaves out has the shipped ones."""

    base: str
    texts: Mapping[Lang, str]

    @classmethod
    def checked(cls, base: str, texts: Mapping[Lang, str]) -> Self:
        """Raises InvalidRequest with what is wrong with them."""
        if base not in ONE_CALL_PROMPTS:
            known = ", ".join(ONE_CALL_PROMPTS)
            raise InvalidRequest(
                f"base: instructions cannot be written for {base!r}; there are {known}.",
                ko=f"base: {base!r}의 지시문은 바꿀 수 없습니다. {known} 중에서 고르세요.",
                code="no-such-prompt",
            )
        for lang, text in texts.items():
            _check(lang, text)
        return cls(base, texts)

    def prompt(self, version: str) -> OneCallPrompt:
        found = with_instructions(version, self.base, self.texts)
        assert found is not None, "the base is a shipped one"
        return found


def _check(lang: Lang, text: str) -> None:
    for wanted in PLACEHOLDERS:
        if (count := text.count(wanted)) != 1:
            raise _refused(
                lang,
                f"{wanted} must stand in them once, and stands there {count} times; fixed text"
                " takes its place",
                f"{wanted}이(가) 한 번 있어야 하는데 {count}번 있습니다. 그 자리에 고정된 글이"
                " 들어갑니다",
            )
    for found in _LIKE_A_PLACEHOLDER.findall(text):
        if found not in PLACEHOLDERS:
            known = ", ".join(PLACEHOLDERS)
            raise _refused(
                lang,
                f"there is no placeholder {found}; there are {known}",
                f"{found}이라는 자리 표시는 없습니다. {known}만 쓸 수 있습니다",
            )
    if len(text) > MAX_INSTRUCTIONS:
        raise _refused(
            lang,
            f"they have {len(text):,} characters, and may have {MAX_INSTRUCTIONS:,}",
            f"{len(text):,}자인데 {MAX_INSTRUCTIONS:,}자까지 쓸 수 있습니다",
        )
    if any(not (char.isprintable() or char == "\n") for char in text):
        raise _refused(
            lang,
            "they hold a character that does not print; write them as plain text",
            "보이지 않는 문자가 있습니다. 일반 글로 쓰세요",
        )
    if token_starts(text) or _FENCE.search(text):
        raise _refused(
            lang,
            "they hold a control token or the mark of the material, such as <|im_start|> or"
            " <data; leave it out",
            "<|im_start|>나 <data처럼 제어 토큰이나 자료 표시로 읽히는 글이 있습니다. 빼세요",
        )


def _refused(lang: Lang, en: str, ko: str) -> InvalidRequest:
    name, ko_name = _NAMES[lang]
    return InvalidRequest(
        f"{name} instructions: {en}.",
        ko=f"{ko_name} 지시문: {ko}.",
        code="broken-instructions",
    )
