"""What the callbacks share: notes from documents, text from messages, runs that are still open."""

import functools
import logging
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby, islice
from operator import itemgetter
from typing import Generic, ParamSpec, TypeAlias, TypeVar

from searchqa_client import Background, Note
from searchqa_client.submission import MAX_TURNS

MAX_TITLE_CHARS = 500
TITLE_KEYS = ("title", "name", "file_name", "source", "url", "file_path")

Turns: TypeAlias = list[tuple[str, str]]

P = ParamSpec("P")
RunT = TypeVar("RunT")

logger = logging.getLogger("searchqa_client")


def never_raises(function: Callable[P, None]) -> Callable[P, None]:
    """A failure of ours is logged, by its type only: its message may hold text of the answer."""

    @functools.wraps(function)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            function(*args, **kwargs)
        except Exception as error:  # judging must never break an application
            logger.warning("An answer will not be judged: %s", type(error).__name__)
            logger.debug("An answer will not be judged", exc_info=True)

    return guarded


@functools.cache
def default_background() -> Background:
    """One for the process, set by SEARCHQA_URL and SEARCHQA_TOKEN: callbacks are often made anew
    for each request, and a queue and a thread for each would not do."""
    return Background()


def note_of(content: object, metadata: object) -> Note | None:
    """None without text. The title is the first text that `metadata` has under TITLE_KEYS, cut to
    MAX_TITLE_CHARS; documents without one are numbered by the server. NUL, which text taken from
    PDF files often holds and the server refuses, is left out."""
    content = content.replace("\0", "") if isinstance(content, str) else ""
    if not content.strip():
        return None
    fields = metadata if isinstance(metadata, Mapping) else {}
    titles = (fields.get(key) for key in TITLE_KEYS)
    title = next((one for one in titles if isinstance(one, str) and one.strip()), "")
    return Note(title=title[:MAX_TITLE_CHARS].replace("\0", ""), content=content)


def distinct(notes: Iterable[Note | None]) -> list[Note]:
    """In order of their first occurrence: several retrievers often find the same document."""
    return list({(note.title, note.content): note for note in notes if note}.values())


def text_of(content: object) -> str:
    """The text of a message's content: a string, or a list of strings and of parts with a `text`
    (objects or mappings). Empty where there is none, or where it is of another kind."""
    if isinstance(content, str):
        return content
    return "".join(map(_part_text, content)) if isinstance(content, list | tuple) else ""


def field_of(value: object, name: str) -> object:
    """The field of an object or a mapping; None where it has none."""
    return value.get(name) if isinstance(value, Mapping) else getattr(value, name, None)


def last_of_role(messages: object, *roles: str) -> object:
    """The last message whose `role` or `type` is one of `roles`, a (role, text) pair as a mapping;
    None without one."""
    for message in reversed(messages) if isinstance(messages, list | tuple) else ():
        if isinstance(message, tuple):
            if len(message) == 2 and message[0] in roles:
                return {"role": message[0], "content": message[1]}
        elif is_of_role(message, roles):
            return message
    return None


def turns_before(messages: object, asking: Sequence[str], answering: Sequence[str]) -> Turns | None:
    """(question, answer) of each turn before the last message of one who asks; None without. What a
    side says in several messages is one text."""
    said: list[tuple[bool, str]] = []
    for message in messages if isinstance(messages, list | tuple) else ():
        pair = isinstance(message, tuple) and len(message) == 2
        one = {"role": message[0], "content": message[1]} if pair else message
        asks = is_of_role(one, asking)
        text = text_of(field_of(one, "content"))
        if text.strip() and (asks or is_of_role(one, answering)):
            said.append((asks, text))
    last = max((number for number, (asks, _) in enumerate(said) if asks), default=0)
    return paired(said[:last]) or None


def paired(said: Iterable[tuple[bool, str]]) -> Turns:
    """Turns of (whether it asks, text), in their order."""
    turns: Turns = []
    for asks, group in groupby(said, key=itemgetter(0)):
        text = "\n".join(islice((text for _, text in group), MAX_TURNS))
        if asks or not turns:
            turns.append((text, "") if asks else ("", text))
        else:
            turns[-1] = (turns[-1][0], text)
    return turns


def is_of_role(message: object, roles: Sequence[str]) -> bool:
    return field_of(message, "role") in roles or field_of(message, "type") in roles


class OpenRuns(Generic[RunT]):
    """Runs that have begun and not ended, by id, each below the run at its root. With more than
    `max_roots` roots the oldest is given up with all its runs, so that roots which never end cost
    a bounded amount of memory. Not thread-safe: its owner holds a lock."""

    def __init__(self, max_roots: int) -> None:
        self._max_roots = max_roots
        self._runs: dict[object, RunT] = {}
        self._ids_by_root: OrderedDict[object, set[object]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._runs)

    def get(self, run_id: object) -> RunT | None:
        return self._runs.get(run_id)

    def begin(self, run_id: object, root_id: object, run: RunT) -> None:
        """`root_id` is `run_id` for a root."""
        self._ids_by_root.setdefault(root_id, set()).add(run_id)
        self._runs[run_id] = run
        if len(self._ids_by_root) > self._max_roots:
            self.release(next(iter(self._ids_by_root)))

    def end(self, run_id: object, root_id: object) -> None:
        self._runs.pop(run_id, None)
        self._ids_by_root.get(root_id, set()).discard(run_id)

    def release(self, root_id: object) -> None:
        """Ends a root and every run below it."""
        for run_id in self._ids_by_root.pop(root_id, ()):
            self._runs.pop(run_id, None)


def _part_text(part: object) -> str:
    text = part if isinstance(part, str) else field_of(part, "text")
    return text if isinstance(text, str) else ""


def name_or_none(value: object) -> str | None:
    return value if isinstance(value, str) and value else None
