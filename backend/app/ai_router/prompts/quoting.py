"""Marks off text that is material, not instruction, in the prompts that write for readers."""

import re
from functools import lru_cache
from itertools import chain

from app.ai_router.prompts.control_tokens import ANGLES, SQUARES, as_read, token_starts

# What stands between the letters of a tag without hiding it: spaces, slashes, and characters
# of no width. Another bracket would begin another tag.
_BETWEEN = r"[^\w<>]*"


def quote(tag: str, text: str) -> str:
    """The text between <tag> and </tag>, each on its own line. Tags of that name inside the
    text are broken, so that it cannot end its own quotation, and so are control tokens."""
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
    written in look-alike letters or with invisible characters in between. The
    bracket of a chat template's control token is turned into "‹" or "⟦"."""
    if not any(bracket in text for bracket in ANGLES + SQUARES):
        return text
    chars = list(text)
    tags = (match.start() for match in _tag_pattern(tag).finditer(as_read(text)))
    for start in chain(tags, token_starts(text)):
        chars[start] = "⟦" if text[start] in SQUARES else "‹"
    return "".join(chars)


def one_line(title: str) -> str:
    """A title that cannot look like more than one line of the prompt."""
    return " ".join(title.split())


@lru_cache(maxsize=16)
def _tag_pattern(tag: str) -> re.Pattern[str]:
    letters = _BETWEEN.join(map(re.escape, tag))
    return re.compile(rf"<(?={_BETWEEN}{letters}(?!\w))", re.IGNORECASE)
