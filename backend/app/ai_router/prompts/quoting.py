"""Untrusted text in prompts: quoted or fenced, without control tokens of models."""

import hashlib
import json
import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain, count, pairwise

from pydantic_core import PydanticSerializationError, to_json

from app.ai_router.types import Message

# All characters that normalise (NFKC) to the brackets.
ANGLES, SQUARES = "<﹤＜", "[［【〔"
_ROLES = "시스템|사용자|어시스턴트|도우미"
# Most brackets of notes and of JSON have something behind them that no token begins with.
_BEGINS = re.compile(rf"[^가-힣\d\s{{}}\[\]\"'(),.:-]|{_ROLES}")
_MAX_TOKEN_LENGTH = 48
# <|im_start|> and its like (ChatML, Llama 3, Phi, Command R, DeepSeek), [|user|] (EXAONE),
# <start_of_turn> (Gemma), [INST] and <<SYS>> (Mistral, Llama 2), <think>, what begins and ends a
# text, [CLS] and its like (BERT), and [SYSTEM], 【시스템】 and its like, which look like a turn.
_TOKEN = re.compile(
    r"<(?=\||[/\w]{1,40}\|>|<?/?SYS>"
    r"|/?(?:s|bos|eos|pad|unk|mask|sep|sop|eop|eod|eoh|eoa|BOS_TOKEN|EOS_TOKEN|start_of_\w+"
    r"|end_of_\w+|think|tools?|tool_\w+|unused\d+|reserved_\w+|TOKENS_UNUSED_\w+)>)"
    r"|\[(?=\||/?(?:INST|SYSTEM_PROMPT|MODEL_SETTINGS|AVAILABLE_TOOLS|TOOL_\w+|CALL_ID|ARGS"
    r"|THINK|gMASK|(?i:system|user|assistant|developer|tool|function|human|cls|sep|mask|pad|unk"
    rf"|bos|eos)|{_ROLES})\])"
)
# Characters of no width that count as letters, and Cyrillic and Greek letters that look Latin.
_LOOK_ALIKES = dict.fromkeys("\u115f\u1160\u3164\uffa0", " ") | dict(
    zip(
        "аеорсухіјѕһԁԛԝтАВЕКМНОРСТХІЈЅοενικρτυχΑΒΕΖΗΙΚΜΝΟΡΤΥΧ【】〔〕",
        "aeopcyxijshdqwtABEKMHOPCTXIJSoevikptuxABEZHIKMNOPTYX[][]",
        strict=True,
    )
)


def token_starts(text: str) -> list[int]:
    """Where the brackets stand that begin a control token, also one in full-width letters."""
    # Most texts have few, and to read all of a note so would take longer than to write it as JSON.
    return sorted(
        at
        for bracket in ANGLES + SQUARES
        for at in _places(text, bracket)
        if _BEGINS.match(text, at + 1) and _TOKEN.match(as_read(text[at : at + _MAX_TOKEN_LENGTH]))
    )


# The lines that code puts around the material.
_FENCE_LINE = re.compile(r"</?data\b", re.IGNORECASE)


def prints(text: str) -> bool:
    """Whether every character of instructions prints, but for ends of lines."""
    return all(char.isprintable() or char == "\n" for char in text)


def looks_like_control(text: str) -> bool:
    """Whether instructions hold a control token of a model, or the mark of the material."""
    return bool(token_starts(text) or _FENCE_LINE.search(text))


def _places(text: str, char: str) -> Iterator[int]:
    at = text.find(char)
    while at >= 0:
        yield at
        at = text.find(char, at + 1)


def as_read(text: str) -> str:
    """The text as a model may read it, character by character: compatibility forms and
    look-alikes of Latin letters as those letters."""
    return text if text.isascii() else "".join(map(_plain, text))


@lru_cache(maxsize=4096)
def _plain(char: str) -> str:
    """The plain form of a character, when that is one character too."""
    folded = unicodedata.normalize("NFKC", char)
    plain = folded if len(folded) == 1 else char
    return _LOOK_ALIKES.get(plain, plain)


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


_NONCE_CHARS = 24
_OPENING = "<data "
_OPENING_LINE = re.compile(rf"^{_OPENING}([0-9a-f]{{{_NONCE_CHARS}}})>$", re.MULTILINE)


def as_data(value: object) -> str:
    """`value` as one line of JSON without angle brackets, unprintable characters or control
    tokens (`app.ai_router.prompts.quoting`)."""
    try:
        text = to_json(value).decode()
    except PydanticSerializationError:  # half a surrogate pair, escaped below
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    if not text.isprintable():
        text = "".join(char if char.isprintable() else _escape(char) for char in text)
    starts = token_starts(text)
    if starts:
        chars = list(text)
        for start in starts:
            chars[start] = _escape(chars[start])
        text = "".join(chars)
    return text.replace("<", "\\u003c").replace(">", "\\u003e")


def _escape(char: str) -> str:
    return f"\\u{ord(char):04x}" if char <= "\uffff" else json.dumps(char)[1:-1]


def fence(value: object, key: bytes) -> str:
    """The fenced block: a line that opens, a line of JSON, a line that closes.

    key: 1 to 64 secret bytes.
    """
    data = as_data(value)
    nonce = next(candidate for candidate in _nonces(data, key) if candidate not in data)
    return f"{_OPENING}{nonce}>\n{data}\n</data {nonce}>"


def fenced(prompt: str) -> object:
    """The value that `fence` put into a prompt, None where there is none."""
    return json.loads(fenced_line(prompt))


def fenced_line(prompt: str) -> str:
    """The same as it stands there, one line of JSON."""
    lines = prompt.split("\n")
    data = (line for before, line in pairwise(lines) if before.startswith(_OPENING))
    return next(data, "null")


def without_nonce(prompt: str) -> str:
    """The prompt as it would be whatever the key: equal for equal material, and for no other. The
    nonce stands in the lines of the fence alone, which no material can look like."""
    opening = _OPENING_LINE.search(prompt)
    return prompt.replace(opening[1], "") if opening else prompt


def fenced_messages(system: str, user: str, material: object, key: bytes) -> list[Message]:
    """System and user message, with the material fenced in the place of `{data}`. All that
    comes before the nonce is the same for each answer, so that vendors have it in their caches."""
    return [
        Message("system", system),
        Message("user", user.replace("{data}", fence(material, key))),
    ]


def _nonces(data: str, key: bytes) -> Iterator[str]:
    for attempt in count():
        digest = hashlib.blake2b(data.encode(), key=key, salt=attempt.to_bytes(8, "big"))
        yield digest.hexdigest()[:_NONCE_CHARS]


def notes_as_data(
    titles: Sequence[str], notes: Sequence[str], budget: int
) -> list[dict[str, str | int | bool]]:
    """The notes as members of a fenced value, numbered from 1, together within `budget`
    characters of content. `cut` says that the end of a note is left out."""
    return [
        {"note_index": index, "title": title, "content": cut, "cut": len(cut) < len(note)}
        for index, (title, cut, note) in enumerate(
            zip(titles, share(notes, budget), notes, strict=True), start=1
        )
    ]


def share(texts: Sequence[str], budget: int) -> list[str]:
    """The texts cut so that together they have at most `budget` characters.

    Short texts stay whole and leave what they do not need to the longer ones.
    """
    shares = [0] * len(texts)
    by_length = sorted(range(len(texts)), key=lambda index: len(texts[index]))
    for position, index in enumerate(by_length):
        shares[index] = min(len(texts[index]), budget // (len(texts) - position))
        budget -= shares[index]
    return [text[:length] for text, length in zip(texts, shares, strict=True)]
