"""Notes from JSON lines: one object a line."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any
from unicodedata import normalize

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from app.notes.importers.markdown import ImportedNote, NoteSource
from app.platform.errors import InvalidRequest

MAX_VALUES = 1_000_000


def has_too_many_values(data: bytes) -> bool:
    """Counts brackets, those within texts too, and quotation marks that begin or end a text."""
    brackets = data.count(b"[") + data.count(b"{")
    marks = data.count(b'"') - data.count(b'\\"')
    return brackets + marks // 2 > MAX_VALUES


_Title = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]


class _Line(BaseModel):
    model_config = ConfigDict(extra="ignore", strict=True)

    title: _Title
    content: str
    id: str | int | None = None
    tags: list[str] = Field(default_factory=list)
    category: str | None = None
    subcategory: str | None = None


def parse_jsonl(data: bytes) -> list[ImportedNote]:
    """A note for each line that is not empty.

    A line holds `title` and `content`, and may hold `id` (else its title is its key), `tags`,
    `category` and `subcategory`. Raises InvalidRequest naming the first line that is wrong.
    """
    notes = list(_notes(data.split(b"\n")))
    if not notes:
        raise InvalidRequest.worded("jsonl-without-notes")
    return notes


def read_jsonl(path: Path) -> NoteSource:
    """The same of a file that may be larger than the memory: every line is checked now, and read
    again when its note is wanted."""
    with path.open("rb") as file:
        total = sum(1 for _ in _notes(file))
    if not total:
        raise InvalidRequest.worded("jsonl-without-notes")
    return NoteSource(total, _of_file(path))


def to_jsonl(note: ImportedNote) -> bytes:
    """The line that is read as this note; its notebook is not in it."""
    line = {
        "id": note.source_key,
        "title": note.title,
        "content": note.content_text,
        "tags": note.tags,
        "category": note.category,
        "subcategory": note.subcategory,
    }
    return json.dumps(line, ensure_ascii=False).encode("utf-8", "replace") + b"\n"


def _of_file(path: Path) -> Iterator[ImportedNote]:
    with path.open("rb") as file:
        yield from _notes(file)


def _notes(raw_lines: Iterable[bytes]) -> Iterator[ImportedNote]:
    lines: dict[str, int] = {}
    for number, raw in enumerate(raw_lines, start=1):
        if number == 1:
            raw = raw.removeprefix(b"\xef\xbb\xbf")
        if not raw.strip():
            continue
        line = _parsed(raw, number)
        key = line.title if line.id is None else str(line.id)
        name = normalize("NFC", key)
        if name in lines:
            raise _wrong(
                number,
                f"has the id {key!r} of line {lines[name]}; give it its own",
                ko=f"{lines[name]}번째 줄과 id가 {key!r}(으)로 같습니다. 서로 다른 id를 주세요",
            )
        lines[name] = number
        yield ImportedNote(
            source_key=key,
            title=line.title,
            content_text=line.content,
            category=line.category,
            subcategory=line.subcategory,
            tags=line.tags,
        )


def _parsed(raw: bytes, number: int) -> _Line:
    if has_too_many_values(raw):
        raise _wrong(number, "has too many values", ko="값이 너무 많습니다")
    try:
        value: Any = json.loads(raw)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise _wrong(number, "is not a JSON object in UTF-8", ko="UTF-8로 쓴 JSON 객체가 아닙니다")
    try:
        return _Line.model_validate(value)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise _wrong(
            number,
            f"is not a note: {where}: {first['msg']}",
            ko=f"노트 형식이 아닙니다({where}: {first['msg']})",
        ) from error


def _wrong(number: int, problem: str, *, ko: str) -> InvalidRequest:
    return InvalidRequest.worded("jsonl-line-wrong", number=number, problem=problem, ko=ko)
