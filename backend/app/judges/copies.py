"""Tells a judge's own verdict from one that it copied out of what it was to judge."""

import json
import re
from collections.abc import Iterator, Sequence

from app.ai_router.prompts.fencing import fenced, fenced_line
from app.ai_router.types import Message
from app.judges.parsing import only_object
from app.platform.errors import MalformedOutput

# In a line of JSON the quote of its first member follows the brace of an object; within a text a
# quote is escaped, so that a brace of an object that stands in a text is followed by anything else.
_BRACE_IN_TEXT = re.compile(r'\{(?!")')


def refuse_copy(reply: str, messages: Sequence[Message]) -> None:
    """Raises MalformedOutput when a text of the material in `messages` holds the object of the
    reply, whatever its spacing and escapes. reply: one that `parse_reply` takes.

    A note may hold a ready verdict that the judge is told to repeat, or that it mentions without
    giving one of its own.
    """
    if not _BRACE_IN_TEXT.search(fenced_line(messages[-1].content)):
        return
    found, written = only_object(reply)
    plain = json.dumps(found, ensure_ascii=False)
    forms = {_without_blanks(written), _without_blanks(plain)}
    if any(form in text for text in _texts(fenced(messages[-1].content)) for form in forms):
        reason = "the reply copies an object from the material; write an evaluation of your own"
        raise MalformedOutput(reason, body_excerpt=reply)


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield _without_blanks(value)
    elif isinstance(value, dict):
        for member in value.values():
            yield from _texts(member)
    elif isinstance(value, list):
        for member in value:
            yield from _texts(member)


def _without_blanks(text: str) -> str:
    return "".join(text.split())
