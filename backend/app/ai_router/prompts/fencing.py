"""Puts text that nobody vouches for into a prompt as data.

Questions, notes and answers may say anything, also "ignore your instructions" or "end of
data". They are therefore written as one line of JSON between two lines that carry a nonce.
Line breaks, angle brackets, everything that does not print and what begins a control token of a
chat template are escaped, so the data can neither start a line nor look like a delimiter or a
turn, and hidden characters are seen as such.

The nonce is a keyed hash (BLAKE2b) of the data. Whoever does not know the key cannot
predict it, whatever text they plant; whoever has the key derives the same nonce again, so
that a request repeated by another process is equal byte for byte. Processes that need this
must be given the same key.
"""

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from itertools import count, pairwise

from pydantic_core import PydanticSerializationError, to_json

from app.ai_router.prompts.control_tokens import token_starts
from app.ai_router.types import Message

_NONCE_CHARS = 24
_OPENING = "<data "
_OPENING_LINE = re.compile(rf"^{_OPENING}([0-9a-f]{{{_NONCE_CHARS}}})>$", re.MULTILINE)


def as_data(value: object) -> str:
    """`value` as one line of JSON without angle brackets, unprintable characters or control
    tokens (`app.ai_router.prompts.control_tokens`)."""
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
