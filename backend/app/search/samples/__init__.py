"""Notes and questions of a made-up laboratory, to try SearchQA with."""

from importlib import resources

from app.search.importers import ImportedNote, parse_markdown
from app.search.samples.questions import SAMPLE_QUESTIONS

__all__ = ["SAMPLE_QUESTIONS", "sample_notes"]


def sample_notes() -> list[ImportedNote]:
    """Korean and English notes, by name."""
    folder = resources.files(__name__) / "notes"
    return [
        parse_markdown(file.read_text(encoding="utf-8"), f"{language.name}/{file.name}")
        for language in sorted(folder.iterdir(), key=lambda entry: entry.name)
        for file in sorted(language.iterdir(), key=lambda entry: entry.name)
    ]
