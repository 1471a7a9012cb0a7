"""Test cases of a dataset: a question and the chunks that answer it, made or imported."""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, ClassVar, TypeVar

from pydantic import BaseModel, ValidationError

from app.platform.db.statements import is_storable
from app.platform.errors import InvalidRequest
from app.text.language import Lang, detect_language

MAX_QUESTION_CHARS = 4_000
MAX_REFERENCE_CHARS = 20_000
MAX_ID_CHARS = 200
MAX_CHUNK_IDS = 1_000

_SPACE = re.compile(r"\s")


@dataclass(frozen=True, slots=True)
class TestCase:
    """A question, the ids of the chunks that answer it, and perhaps an answer to compare with.

    ground_truth_chunk_ids: at least one, each once; their order means nothing.
    reference_answer: None where there is none. id: its name in the dataset, None before it has
    one. Ids hold no blanks, so that every file format can carry them.
    Raises InvalidRequest with one sentence on what is wrong.
    """

    # pytest would collect a class of this name where a test imports it.
    __test__: ClassVar[bool] = False

    question: str
    ground_truth_chunk_ids: tuple[str, ...]
    reference_answer: str | None
    lang: Lang
    id: str | None = None

    def __post_init__(self) -> None:
        _check_text(self.question, "question", MAX_QUESTION_CHARS)
        if self.reference_answer is not None:
            _check_text(self.reference_answer, "reference_answer", MAX_REFERENCE_CHARS)
        if self.lang not in ("ko", "en"):
            raise InvalidRequest(
                "lang must be ko or en; leave it out to have it told from the question.",
                ko="lang은 ko 또는 en이어야 합니다. 비워 두면 질문에서 알아냅니다.",
            )
        if self.id is not None:
            _check_id(self.id, "id")
        _check_chunk_ids(self.ground_truth_chunk_ids)


def _check_text(text: str, name: str, most: int) -> None:
    if not text.strip():
        raise InvalidRequest(
            f"{name} is empty; write one.", ko=f"{name}이(가) 비어 있습니다. 채워 주세요."
        )
    if len(text) > most:
        raise InvalidRequest(
            f"{name} is longer than {most:,} characters; shorten it.",
            ko=f"{name}이(가) {most:,}자를 넘습니다. 줄여 주세요.",
        )
    _check_storable(text, name)


def _check_storable(text: str, name: str) -> None:
    if not is_storable(text):
        raise InvalidRequest(
            f"{name} holds NUL or half of a surrogate pair; remove it.",
            ko=f"{name}에 저장할 수 없는 문자(NUL, 짝 없는 서로게이트)가 있습니다. 지우세요.",
        )


def _check_id(value: str, name: str) -> None:
    if not value or len(value) > MAX_ID_CHARS or _SPACE.search(value):
        raise InvalidRequest(
            f"{name} must have 1 to {MAX_ID_CHARS} characters and no blanks; change it.",
            ko=f"{name}은(는) 공백 없이 1~{MAX_ID_CHARS}자여야 합니다. 고쳐 주세요.",
        )
    _check_storable(value, name)


def _check_chunk_ids(ids: Sequence[str]) -> None:
    name = "ground_truth_chunk_ids"
    if not 1 <= len(ids) <= MAX_CHUNK_IDS:
        raise InvalidRequest(
            f"{name} must name 1 to {MAX_CHUNK_IDS:,} chunks; name those that answer the question.",
            ko=f"{name}에는 질문에 답하는 청크를 1~{MAX_CHUNK_IDS:,}개 적어야 합니다.",
        )
    for each in ids:
        _check_id(each, f"each of {name}")
    if len(set(ids)) < len(ids):
        raise InvalidRequest(
            f"{name} names a chunk twice; name each once.",
            ko=f"{name}에 같은 청크가 두 번 있습니다. 한 번씩만 적어 주세요.",
        )


_BOM = b"\xef\xbb\xbf"
_LINES_NAMED = 5

M = TypeVar("M", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Notice:
    """One sentence for the reader, in both languages."""

    en: str
    ko: str


@dataclass(frozen=True, slots=True)
class ImportedCases:
    """cases: at least one."""

    cases: list[TestCase]
    notices: list[Notice] = field(default_factory=list)


class CaseCollector:
    """Collects the cases of a file: refuses an id that comes twice, leaves out a case that repeats
    another one word for word, and reports it."""

    def __init__(self) -> None:
        self.cases: list[TestCase] = []
        self._line_of_id: dict[str, int] = {}
        self._seen: set[tuple[str, frozenset[str]]] = set()
        self._repeated: list[int] = []

    def add(self, case: TestCase, line: int) -> None:
        """Raises InvalidRequest, without the line."""
        if case.id is not None:
            if case.id in self._line_of_id:
                first = self._line_of_id[case.id]
                raise InvalidRequest(
                    f"the id {case.id!r} is that of line {first}; give each case its own.",
                    ko=f"id {case.id!r}은(는) {first}번째 줄과 같습니다. 서로 다르게 적어 주세요.",
                )
            self._line_of_id[case.id] = line
        key = (case.question, frozenset(case.ground_truth_chunk_ids))
        if key in self._seen:
            self._repeated.append(line)
            return
        self._seen.add(key)
        self.cases.append(case)

    def imported(self, notices: Iterable[Notice] = ()) -> ImportedCases:
        """Raises InvalidRequest when there are no cases."""
        if not self.cases:
            raise empty_file()
        listed = list(notices)
        if self._repeated:
            listed.append(
                Notice(
                    f"Left out, same question and chunks as before: {_lines_en(self._repeated)}.",
                    f"앞과 질문·청크가 같아 뺀 줄: {_lines_ko(self._repeated)}.",
                )
            )
        return ImportedCases(self.cases, listed)


def case_of(
    question: str,
    chunk_ids: Iterable[str],
    *,
    reference_answer: str | None = None,
    lang: str | None = None,
    case_id: str | None = None,
) -> TestCase:
    """A case from the fields of a file; an empty optional text counts as left out."""
    known: Lang
    if lang in ("ko", "en"):
        known = "ko" if lang == "ko" else "en"
    elif lang:
        raise InvalidRequest(
            f"lang is {lang!r}; write ko or en, or leave it out.",
            ko=f"lang이 {lang!r}입니다. ko나 en을 쓰거나 비워 두세요.",
        )
    else:
        known = detect_language(question)
    reference = reference_answer if reference_answer and reference_answer.strip() else None
    return TestCase(question, tuple(chunk_ids), reference, known, case_id or None)


def lines_of(data: bytes) -> Iterator[tuple[int, bytes]]:
    """The lines that are not blank, by their number from 1. Only \\n ends one: JSON texts may hold
    U+2028 and the like."""
    for number, line in enumerate(data.removeprefix(_BOM).split(b"\n"), start=1):
        if line.strip():
            yield number, line.rstrip(b"\r")


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


def at_line(error: InvalidRequest, number: int) -> InvalidRequest:
    """The error with the number of its line, from 1."""
    return InvalidRequest(
        f"Line {number}: {error.detail['en']}", ko=f"{number}번째 줄: {error.detail['ko']}"
    )


@contextmanager
def on_line(number: int) -> Iterator[None]:
    """Raises an InvalidRequest of its block with the number of its line."""
    try:
        yield
    except InvalidRequest as error:
        raise at_line(error, number) from error


def empty_file() -> InvalidRequest:
    return InvalidRequest(
        "The file holds no test cases; write at least one question with its chunk ids.",
        ko="테스트 케이스가 없습니다. 질문과 청크 id를 하나 이상 적어 주세요.",
    )


def unknown_fields(found: dict[str, int]) -> list[Notice]:
    """found: ignored fields, with the first line of each."""
    return [
        Notice(
            f"The field {name!r} (first on line {line}) is not known and was ignored.",
            f"알 수 없는 필드 {name!r}({line}번째 줄부터)은(는) 무시했습니다.",
        )
        for name, line in found.items()
    ]


def _lines_en(lines: list[int]) -> str:
    more = f" and {len(lines) - _LINES_NAMED} more" if len(lines) > _LINES_NAMED else ""
    return f"line {', '.join(map(str, lines[:_LINES_NAMED]))}{more}"


def _lines_ko(lines: list[int]) -> str:
    more = f" 외 {len(lines) - _LINES_NAMED}줄" if len(lines) > _LINES_NAMED else ""
    return f"{', '.join(map(str, lines[:_LINES_NAMED]))}번째 줄{more}"
