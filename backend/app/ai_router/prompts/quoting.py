"""Marks off text that is material, not instruction, in the prompts that write for readers."""

import re
import unicodedata
from functools import lru_cache

# What stands between the letters of a tag without hiding it: spaces, slashes, and characters
# of no width. Another bracket would begin another tag.
_BETWEEN = r"[^\w<>]*"
# All characters that normalise (NFKC) to the bracket.
_BRACKETS = "<﹤＜"


def quote(tag: str, text: str) -> str:
    """The text between <tag> and </tag>, each on its own line. Tags of that name inside the
    text are broken, so that it cannot end its own quotation."""
    return f"<{tag}>\n{without_tags(tag, text)}\n</{tag}>"


def quoted(tag: str, prompt: str) -> list[str]:
    """The texts that `quote` put into a prompt."""
    found: list[str] = []
    inside: list[str] | None = None
    for line in prompt.split("\n"):
        if inside is None:
            inside = [] if line == f"<{tag}>" else None
        elif inside and line == f"</{tag}>":
            found.append("\n".join(inside))
            inside = None
        else:
            inside.append(line)
    return found


def without_tags(tag: str, text: str) -> str:
    """The text with the bracket of each tag of that name turned into "‹", also where the tag is
    written in full-width or mathematical letters or with invisible characters in between."""
    if not any(bracket in text for bracket in _BRACKETS):
        return text
    chars = list(text)
    for match in _tag_pattern(tag).finditer("".join(map(_fold, text))):
        chars[match.start()] = "‹"
    return "".join(chars)


def one_line(title: str) -> str:
    """A title that cannot look like more than one line of the prompt."""
    return " ".join(title.split())


@lru_cache(maxsize=16)
def _tag_pattern(tag: str) -> re.Pattern[str]:
    letters = _BETWEEN.join(map(re.escape, tag))
    return re.compile(rf"<(?={_BETWEEN}{letters}(?!\w))", re.IGNORECASE)


@lru_cache(maxsize=4096)
def _fold(char: str) -> str:
    """The plain form of a character, when that is one character too."""
    folded = unicodedata.normalize("NFKC", char)
    return folded if len(folded) == 1 else char
