"""What an answer was given from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from pydantic import BaseModel


class Note(BaseModel):
    """One retrieved document. `[노트 1]` or `[Note 1]` in an answer means the first."""

    title: str = ""
    content: str


# A mapping has `content` and perhaps `title`.
AnyNote: TypeAlias = Note | str | Mapping[str, object]


def plain_notes(notes: Iterable[AnyNote]) -> list[tuple[str, str]]:
    """(title, content) of each; title is `` where there is none. Raises TypeError for what is no
    note. Texts are neither copied nor checked: a thousand notes take a fraction of a millisecond.
    """
    if isinstance(notes, (str, Mapping, Note)):
        notes = [notes]
    return [_plain(note) for note in notes]


def kept(notes: Iterable[AnyNote]) -> Iterable[AnyNote]:
    """The same as they are now, for who reads them later or more than once. Never raises: what
    cannot be read raises when it is read again."""
    if isinstance(notes, (str, Mapping, Note)):
        return notes
    try:
        return list(notes)
    except Exception as error:  # noqa: BLE001  # the host goes on, whatever it handed over
        return _Unreadable(error)


@dataclass(frozen=True)
class _Unreadable:
    """A generator that has failed would be empty the second time."""

    error: Exception

    def __iter__(self) -> Iterator[AnyNote]:
        raise self.error


def _plain(note: AnyNote) -> tuple[str, str]:
    if isinstance(note, str):
        return "", note
    if isinstance(note, Note):
        return note.title, note.content
    if isinstance(note, Mapping):
        title, content = note.get("title") or "", note.get("content")
        if isinstance(title, str) and isinstance(content, str):
            return title, content
    raise TypeError(
        "A note is a Note, a text, or a mapping with `content` and perhaps `title`, both texts."
    )
