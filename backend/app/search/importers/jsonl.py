"""Notes from JSON lines: one object a line."""

import json
from collections.abc import Iterator
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from app.errors import InvalidRequest
from app.search.importers.json_size import has_too_many_values
from app.search.importers.note import ImportedNote

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
    notes = list(_notes(data))
    if not notes:
        raise InvalidRequest(
            "The file holds no notes; write one JSON object with title and content on each line.",
            ko="노트가 없습니다. 한 줄에 title과 content가 든 JSON 객체를 하나씩 쓰세요.",
        )
    return notes


def _notes(data: bytes) -> Iterator[ImportedNote]:
    lines: dict[str, int] = {}
    for number, raw in enumerate(data.removeprefix(b"\xef\xbb\xbf").split(b"\n"), start=1):
        if not raw.strip():
            continue
        line = _parsed(raw, number)
        key = line.title if line.id is None else str(line.id)
        if key in lines:
            raise _wrong(number, f"has the id {key!r} of line {lines[key]}; give it its own")
        lines[key] = number
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
        raise _wrong(number, "has too many values")
    try:
        value: Any = json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise _wrong(number, "is not a JSON object in UTF-8") from error
    try:
        return _Line.model_validate(value)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "the line"
        raise _wrong(number, f"is not a note: {where}: {first['msg']}") from error


def _wrong(number: int, problem: str) -> InvalidRequest:
    return InvalidRequest(
        f"Line {number} {problem}. Mend it and import again; nothing was stored.",
        ko=f"{number}번째 줄이 잘못되었습니다({problem}). 고쳐서 다시 가져오세요."
        " 저장된 것은 없습니다.",
    )
