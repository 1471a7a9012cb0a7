"""A note as an importer hands it over."""

from collections.abc import Iterable
from dataclasses import dataclass, field


@dataclass(frozen=True)
class ImportedNote:
    """A note to be stored.

    source_key: its name where it came from, unique there; importing it again updates it.
    content_text: plain text or Markdown.
    notebook: the notebook it was in, None when its source has no notebooks.
    """

    source_key: str
    title: str
    content_text: str
    category: str | None = None
    subcategory: str | None = None
    tags: list[str] = field(default_factory=list)
    notebook: str | None = None


@dataclass(frozen=True)
class NoteSource:
    """Notes that were found to be right, to be read one by one. total: how many."""

    total: int
    notes: Iterable[ImportedNote]
