"""Reads an uploaded file of notes by its name's ending."""

import asyncio
from pathlib import PurePath
from typing import BinaryIO

from app.errors import InvalidRequest
from app.search.importers import ImportedNote, parse_jsonl, parse_markdown, read_nsx
from app.search.importers.markdown import decoded


async def read_upload(name: str, file: BinaryIO) -> list[ImportedNote]:
    """The notes of a .md, .jsonl or .nsx file. Raises InvalidRequest for another ending, and
    naming what is wrong in the file. Works off the event loop: a large archive takes seconds."""
    return await asyncio.to_thread(_read, name, file)


def _read(name: str, file: BinaryIO) -> list[ImportedNote]:
    match PurePath(name).suffix.lower():
        case ".md" | ".markdown":
            return [parse_markdown(decoded(file.read(), name), name)]
        case ".jsonl" | ".ndjson":
            return parse_jsonl(file.read())
        case ".nsx":
            return read_nsx(file)
        case _:
            raise InvalidRequest(
                f"{name!r} is no file of notes; send a .md, .jsonl or .nsx file.",
                ko=f"{name!r}은(는) 노트 파일이 아닙니다. .md, .jsonl, .nsx 파일을 보내세요.",
            )
