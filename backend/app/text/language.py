"""Which of the two languages a text is in."""

from typing import Literal

Lang = Literal["ko", "en"]

# A Hangul syllable spells about what two or three Latin letters do.
_HANGUL_WEIGHT = 2


def detect_language(text: str) -> Lang:
    """The language most of the letters belong to; Korean on a tie and when there are none."""
    hangul = sum("가" <= char <= "힣" or "ㄱ" <= char <= "ㆎ" for char in text)
    latin = sum(char.isascii() and char.isalpha() for char in text)
    return "ko" if hangul * _HANGUL_WEIGHT >= latin else "en"
