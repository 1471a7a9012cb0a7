"""Lines of files: JSON objects and fields between tabs, by their number from 1."""

import json
from collections.abc import Iterator
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from app.platform.errors import InvalidRequest

_BOM = b"\xef\xbb\xbf"

M = TypeVar("M", bound=BaseModel)


def lines_of(data: bytes) -> Iterator[tuple[int, bytes]]:
    """The lines that are not blank. Only \\n ends one: JSON texts may hold U+2028 and the like."""
    for number, line in enumerate(data.removeprefix(_BOM).split(b"\n"), start=1):
        if line.strip():
            yield number, line.rstrip(b"\r")


def text_of(line: bytes) -> str:
    """Raises InvalidRequest, without the line's number."""
    try:
        return line.decode()
    except UnicodeDecodeError as error:
        raise InvalidRequest(
            "this is not UTF-8 text; save the file as UTF-8.",
            ko="UTF-8이 아닙니다. 파일을 UTF-8로 저장하세요.",
        ) from error


def object_of(line: bytes, model: type[M]) -> tuple[M, list[str]]:
    """The JSON object of a line, and the names of its fields that `model` lacks.

    Raises InvalidRequest, without the line's number.
    """
    try:
        value: Any = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise InvalidRequest(
            "this is not a JSON object in UTF-8; write one object on the line.",
            ko="UTF-8로 쓴 JSON 객체가 아닙니다. 한 줄에 객체 하나를 쓰세요.",
        ) from error
    if not isinstance(value, dict):
        raise InvalidRequest(
            "this is JSON but not an object; write {…} on the line.",
            ko="JSON이지만 객체가 아닙니다. 한 줄에 {…}를 쓰세요.",
        )
    try:
        made = model.model_validate(value)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise InvalidRequest(
            f"{where}: {first['msg']}; correct the field.",
            ko=f"{where} 필드가 잘못되었습니다({first['msg']}). 고쳐 주세요.",
        ) from error
    known = {field.alias or name for name, field in model.model_fields.items()}
    return made, [name for name in value if name not in known]


def dumped(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
