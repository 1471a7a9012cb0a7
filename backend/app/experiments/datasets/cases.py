"""Test cases of a dataset: a question and the chunks that answer it, made or imported."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

from pydantic import BaseModel, ValidationError

from app.platform.db.statements import is_storable
from app.platform.errors import InvalidRequest
from app.text.language import Lang, detect_language, lang_of

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

Model = TypeVar("Model", bound=BaseModel)
Row = TypeVar("Row")


def collect_cases(
    rows: Iterable[tuple[int, Row]], parse_row: Callable[[Row], TestCase]
) -> list[TestCase]:
    """The cases of a file, of which `rows` holds each with its line, from 1. One that repeats the
    question and the chunks of another is left out.

    Raises InvalidRequest naming the line, for an id that comes twice too, and for no case at all.
    """
    cases: dict[tuple[str, frozenset[str]], TestCase] = {}
    line_of_id: dict[str, int] = {}
    for line, row in rows:
        try:
            case = parse_row(row)
            if case.id is not None and line_of_id.setdefault(case.id, line) != line:
                raise _repeated_id(case.id, line_of_id[case.id])
        except InvalidRequest as error:
            raise at_line(error, line) from error
        cases.setdefault((case.question, frozenset(case.ground_truth_chunk_ids)), case)
    if not cases:
        raise empty_file()
    return list(cases.values())


def _repeated_id(case_id: str, first: int) -> InvalidRequest:
    return InvalidRequest(
        f"the id {case_id!r} is that of line {first}; give each case its own.",
        ko=f"id {case_id!r}은(는) {first}번째 줄과 같습니다. 서로 다르게 적어 주세요.",
    )


def parse_case(
    question: str,
    ground_truth_chunk_ids: Iterable[str],
    reference_answer: str | None = None,
    lang: str | None = None,
    id: str | None = None,  # noqa: A002  # the name of the field
) -> TestCase:
    """A case from the fields of a file; an empty optional text counts as left out."""
    if lang and lang not in ("ko", "en"):
        raise InvalidRequest(
            f"lang is {lang!r}; write ko or en, or leave it out.",
            ko=f"lang이 {lang!r}입니다. ko나 en을 쓰거나 비워 두세요.",
        )
    known = lang_of(lang) if lang else detect_language(question)
    reference = reference_answer if reference_answer and reference_answer.strip() else None
    return TestCase(question, tuple(ground_truth_chunk_ids), reference, known, id or None)


def numbered_lines(data: bytes) -> Iterator[tuple[int, bytes]]:
    """The lines that are not blank, by their number from 1. Only \\n ends one: JSON texts may hold
    U+2028 and the like."""
    for number, line in enumerate(data.removeprefix(_BOM).split(b"\n"), start=1):
        if line.strip():
            yield number, line.rstrip(b"\r")


def parse_object(line: bytes, model: type[Model]) -> Model:
    """The JSON object of a line. Raises InvalidRequest, without the line's number."""
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
        return model.model_validate(value)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise InvalidRequest(
            f"{where}: {first['msg']}; correct the field.",
            ko=f"{where} 필드가 잘못되었습니다({first['msg']}). 고쳐 주세요.",
        ) from error


def at_line(error: InvalidRequest, number: int) -> InvalidRequest:
    """The error with the number of its line, from 1."""
    return InvalidRequest(
        f"Line {number}: {error.detail['en']}", ko=f"{number}번째 줄: {error.detail['ko']}"
    )


def empty_file() -> InvalidRequest:
    return InvalidRequest(
        "The file holds no test cases; write at least one question with its chunk ids.",
        ko="테스트 케이스가 없습니다. 질문과 청크 id를 하나 이상 적어 주세요.",
    )
