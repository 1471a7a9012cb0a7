"""Notes from an export of Synology Note Station.

An .nsx file is a zip. Its `config.json` lists the names of members: `notebook`, JSON with a
title, and `note`, JSON with `title`, `content` (HTML), `parent_id` (the notebook's name), `tag`
(a list), `ctime` and `mtime`. Attachments are members of their own, which are not read.
"""

import json
import os
import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import IO, Any

from app.notes.importers.html import TooLong, html_to_markdown
from app.notes.importers.jsonl import has_too_many_values
from app.notes.importers.markdown import ImportedNote
from app.platform.errors import InvalidRequest

MAX_MEMBERS = 100_000
# How much of an archive's end is searched for the entries of its directory, and how many more
# there may be than members: documents of other programs are archives too.
_END_BYTES = 64_000_000
_OTHER_ENTRIES = 50_000
_ENTRY = b"PK\x01\x02"
MAX_NOTES = 50_000
MAX_MEMBER_BYTES = 20_000_000
MAX_TOTAL_BYTES = 500_000_000
# Notes are packed to a tenth of their size or so. An archive of more than this many times its
# own, or with more tags, was made to cost time and memory; small ones may be any.
MAX_RATIO = 50
ALWAYS_BYTES = 25_000_000
ALWAYS_TAGS = 1_000_000
# What a notebook's name ends in that holds deleted notes.
_TRASH = "#00000000"
MAX_SHOWN_CHARS = 100
# The bit of a member's flags, see APPNOTE 4.4.4 of the zip format.
_ENCRYPTED = 1
_BROKEN = (
    zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, OSError, RuntimeError,
    ValueError, RecursionError,
)  # fmt: skip


def read_nsx(file: IO[bytes]) -> list[ImportedNote]:
    """All notes of an archive but deleted and encrypted ones, in their own notebooks.

    file: opened for reading bytes, and seekable. Raises InvalidRequest naming what is broken, for
    archives that unpack to more than 500 MB, to more than 50 times their size or one note to more
    than 20 MB, and for a note that is too long to be stored. Odd HTML is none of these.
    """
    file.seek(0, os.SEEK_END)
    size = file.tell()
    file.seek(max(0, size - _END_BYTES))
    # Each would be an object of half a kilobyte before the members could be counted.
    if file.read().count(_ENTRY) > MAX_MEMBERS + _OTHER_ENTRIES:
        raise _crowded()
    try:
        archive = zipfile.ZipFile(file)
    except _BROKEN as error:
        raise InvalidRequest.worded("nsx-damaged") from error
    with archive:
        if len(archive.infolist()) > MAX_MEMBERS:
            raise _crowded()
        return _notes(_Reader(archive, size))


@dataclass
class _Reader:
    """Reads members while counting what they unpack to, whatever the archive claims.

    size: bytes of the archive.
    """

    archive: zipfile.ZipFile
    size: int
    total: int = 0
    tags: int = 0

    def json(self, name: str) -> dict[str, Any]:
        most = min(MAX_TOTAL_BYTES, max(ALWAYS_BYTES, MAX_RATIO * self.size))
        limit = min(MAX_MEMBER_BYTES, most - self.total)
        try:
            info = self.archive.getinfo(name)
            if info.flag_bits & _ENCRYPTED:
                raise _broken(name, "is protected by a password")
            with self.archive.open(info) as member:
                data = member.read(limit + 1)
        except KeyError as error:
            raise _broken(name, "is missing") from error
        except _BROKEN as error:
            raise _broken(name, "cannot be unpacked") from error
        self.total += len(data)
        if len(data) > limit:
            raise _broken(name, "is too large")
        if has_too_many_values(data):
            raise _broken(name, "has too many values")
        try:
            value = json.loads(data)
        except (ValueError, RecursionError) as error:
            raise _broken(name, "is not JSON") from error
        if not isinstance(value, dict):
            raise _broken(name, "is not a JSON object")
        return value

    def count_tags(self, name: str, html: str) -> None:
        self.tags += html.count("<")
        if self.tags > ALWAYS_TAGS + self.size:
            raise _broken(name, "and the notes before it have too many tags")


def _notes(reader: _Reader) -> list[ImportedNote]:
    config = reader.json("config.json")
    note_ids = _strings(config, "note", "config.json")
    if len(note_ids) > MAX_NOTES:
        raise _broken("config.json", f"lists more than {MAX_NOTES:,} notes")
    notebooks = {
        name: _text(reader.json(name), "title", name)
        for name in dict.fromkeys(_strings(config, "notebook", "config.json"))
    }
    notes = []
    for name in dict.fromkeys(note_ids):
        note = reader.json(name)
        parent = _text(note, "parent_id", name)
        if parent.endswith(_TRASH) or note.get("encrypt") is True:
            continue
        title, html = _text(note, "title", name), _text(note, "content", name)
        reader.count_tags(name, html)
        try:
            content = html_to_markdown(html)
        except TooLong as error:
            raise _too_long(title or name, error) from error
        notes.append(
            ImportedNote(
                source_key=name,
                title=title.strip() or content.partition("\n")[0][:MAX_SHOWN_CHARS] or name,
                content_text=content,
                tags=_strings(note, "tag", name),
                notebook=notebooks.get(parent) or None,
            )
        )
    if not notes:
        raise _broken("the archive", "holds no notes that can be read")
    return notes


def _text(value: dict[str, Any], field: str, member: str) -> str:
    text = value.get(field) or ""
    if not isinstance(text, str):
        raise _broken(member, f"has a {field} that is no text")
    return text


def _strings(value: dict[str, Any], field: str, member: str) -> list[str]:
    items = value.get(field) or []
    if not isinstance(items, Sequence) or not all(isinstance(item, str) for item in items):
        raise _broken(member, f"has a {field} that is no list of texts")
    return list(items)


def _crowded() -> InvalidRequest:
    return _broken("the archive", f"has more than {MAX_MEMBERS:,} members")


def _too_long(title: str, error: TooLong) -> InvalidRequest:
    shown = title[:MAX_SHOWN_CHARS]
    return InvalidRequest.worded(
        "nsx-note-too-large", shown=shown, most=error.most, of=error.of, of_ko=error.of_ko
    )


def _broken(member: str, problem: str) -> InvalidRequest:
    return InvalidRequest.worded("nsx-damaged-inside", member=member, problem=problem)
