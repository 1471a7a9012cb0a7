"""Readers of notes from elsewhere: Markdown folders, JSON lines and Note Station archives."""

from app.notes.importers.jsonl import parse_jsonl, read_jsonl, to_jsonl
from app.notes.importers.markdown import parse_markdown, read_markdown_folder
from app.notes.importers.note import ImportedNote, NoteSource
from app.notes.importers.nsx import read_nsx

__all__ = [
    "ImportedNote",
    "NoteSource",
    "parse_jsonl",
    "parse_markdown",
    "read_jsonl",
    "read_markdown_folder",
    "read_nsx",
    "to_jsonl",
]
