"""Marks off text that is material, not instruction, in the prompts that write for readers."""

import re
import unicodedata
from functools import lru_cache

# What stands between the letters of a tag without hiding it: spaces, slashes, and characters
# of no width. Another bracket would begin another tag.
_BETWEEN = r"[^\w<>]*"
# All characters that normalise (NFKC) to the brackets.
_ANGLES, _SQUARES = "<﹤＜", "[［"
# Control tokens of chat templates. A tokenizer that reads them in a note as what they stand for
# would let the note end its turn and begin one of the system's: <|im_start|> and its like (ChatML,
# Llama 3, Phi, Command R, DeepSeek), [|user|] (EXAONE), <start_of_turn> (Gemma), [INST] and
# <<SYS>> (Mistral, Llama 2), and what begins and ends a text.
_CONTROL_TOKEN = re.compile(
    r"<(?=\||[/\w]{1,40}\|>|<?/?SYS>"
    r"|/?(?:s|bos|eos|pad|unk|mask|sep|sop|eop|eod|eoh|eoa|BOS_TOKEN|EOS_TOKEN|start_of_\w+"
    r"|end_of_\w+|tools?|tool_\w+|unused\d+|reserved_\w+|TOKENS_UNUSED_\w+)>)"
    r"|\[(?=\||/?(?:INST|SYSTEM_PROMPT|MODEL_SETTINGS|AVAILABLE_TOOLS|TOOL_\w+|CALL_ID|ARGS"
    r"|THINK|gMASK)\])"
)


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
    written in full-width or mathematical letters or with invisible characters in between. The
    bracket of a chat template's control token is turned into "‹" or "⟦"."""
    if not any(bracket in text for bracket in _ANGLES + _SQUARES):
        return text
    chars = list(text)
    folded = "".join(map(_fold, text))
    for pattern in (_tag_pattern(tag), _CONTROL_TOKEN):
        for match in pattern.finditer(folded):
            chars[match.start()] = "‹" if folded[match.start()] == "<" else "⟦"
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
