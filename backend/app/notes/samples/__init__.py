"""Notes to try SearchQA with: of a made-up laboratory, and on sorting waste."""

from collections.abc import Iterator
from importlib import resources
from importlib.resources.abc import Traversable

from app.notes.importers import ImportedNote, parse_markdown
from app.notes.samples.questions import SAMPLE_QUESTIONS

__all__ = ["LABORATORY", "SAMPLE_QUESTIONS", "WASTE_SORTING", "sample_notes"]

# Folders of this package. The waste notes go with the domain pack of that name.
LABORATORY = "laboratory"
WASTE_SORTING = "waste_sorting"


def sample_notes(name: str = LABORATORY) -> list[ImportedNote]:
    """The notes of LABORATORY (Korean and English) or WASTE_SORTING, by their keys."""
    found = sorted(_files(resources.files(__name__) / name, ""), key=lambda item: item[0])
    return [parse_markdown(file.read_text(encoding="utf-8"), key) for key, file in found]


def _files(folder: Traversable, key: str) -> Iterator[tuple[str, Traversable]]:
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _files(entry, f"{key}{entry.name}/")
        else:
            yield f"{key}{entry.name}", entry
