"""Readers of notes from elsewhere: Markdown folders, JSON lines and Note Station archives, each by
its name's ending where one is uploaded."""

import asyncio
import shutil
import tempfile
from pathlib import Path, PurePath
from typing import BinaryIO

from app.notes.importers.jsonl import parse_jsonl, read_jsonl, to_jsonl
from app.notes.importers.markdown import (
    ImportedNote,
    NoteSource,
    decoded,
    is_blank,
    parse_markdown,
    read_markdown_folder,
)
from app.notes.importers.nsx import read_nsx
from app.platform.errors import InvalidRequest
from app.platform.processes.calls import Limits
from app.platform.processes.pool import import_lane

__all__ = [
    "ImportedNote",
    "NoteSource",
    "parse_jsonl",
    "parse_markdown",
    "read_file",
    "read_jsonl",
    "read_markdown_folder",
    "read_nsx",
    "read_upload",
    "to_jsonl",
]


async def read_upload(name: str, file: BinaryIO, limits: Limits) -> list[ImportedNote]:
    """The notes of a .md, .jsonl or .nsx file, read in a child process. Raises InvalidRequest for
    another ending, and naming what is wrong in the file; LimitExceeded when that takes too much."""
    with tempfile.NamedTemporaryFile() as copy:
        await asyncio.to_thread(shutil.copyfileobj, file, copy)
        copy.flush()
        return await import_lane().run(limits, read_file, name, copy.name)


def read_file(name: str, path: str) -> list[ImportedNote]:
    """The same for the file at `path`, without limits."""
    with Path(path).open("rb") as file:
        return _read(name, file)


def _read(name: str, file: BinaryIO) -> list[ImportedNote]:
    match PurePath(name).suffix.lower():
        case ".md" | ".markdown":
            return [_markdown(decoded(file.read(), name), name)]
        case ".jsonl" | ".ndjson":
            return parse_jsonl(file.read())
        case ".nsx":
            return read_nsx(file)
        case _:
            raise InvalidRequest.worded("no-file-of-notes", name=name)


def _markdown(text: str, name: str) -> ImportedNote:
    if is_blank(text):
        raise InvalidRequest.worded("file-of-notes-empty", name=name)
    return parse_markdown(text, name)
