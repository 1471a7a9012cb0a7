"""Test cases of a dataset: a question and the chunks or notes that answer it."""

import datetime as dt
import hashlib
import json
import re
import unicodedata
import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from app.platform.db.statements import is_storable
from app.platform.errors import InvalidRequest
from app.text.language import Lang, detect_language, lang_of
from app.verdicts.answers.finished import MAX_NOTES

MAX_QUESTION_CHARS = 4_000
MAX_REFERENCE_CHARS = 20_000
MAX_ID_CHARS = 200
MAX_CHUNK_IDS = 1_000

_SPACE = re.compile(r"\s")
_CLOSING = " ?!.\u3002"


class CaseNote(BaseModel):
    """A note of a case's own, as it was then. note_id: None for one of another application."""

    model_config = ConfigDict(frozen=True)

    title: str = Field(default="", pattern=r"^[^\x00]*$")
    content: str = Field(pattern=r"^[^\x00]*$")
    note_id: uuid.UUID | None = None


class CaseSource(BaseModel):
    """The answer that a case is made from, which may be deleted since. app_version: the release
    that gave it; was_bad: whether a person, or without a label the judge, found it wanting, or
    something else is expected of the case; added_by: the name of a token."""

    answer_id: uuid.UUID
    evaluation_id: uuid.UUID
    app_version: str | None
    answered_at: dt.datetime
    was_bad: bool
    added_at: dt.datetime
    added_by: str


@dataclass(frozen=True, slots=True)
class TestCase:
    """A question, what it is to be answered from, and perhaps an answer to compare with.

    ground_truth_chunk_ids: at least one unless it has notes, each once; their order means nothing.
    reference_answer: None where there is none. id: its name in the dataset, None before it has
    one. Ids hold no blanks, so that every file format can carry them. notes: what a run answers it
    from in place of a search. expects_refusal: the notes do not say, and the answer is to say so.
    Raises InvalidRequest with one sentence on what is wrong.
    """

    # pytest would collect a class of this name where a test imports it.
    __test__: ClassVar[bool] = False

    question: str
    ground_truth_chunk_ids: tuple[str, ...]
    reference_answer: str | None
    lang: Lang
    id: str | None = None
    notes: tuple[CaseNote, ...] = ()
    expects_refusal: bool = False
    source: CaseSource | None = None

    @property
    def key(self) -> str | None:
        """The same for the same question, whatever its case, blanks and closing marks, with the
        same texts of notes. None without notes."""
        if not self.notes:
            return None
        words = unicodedata.normalize("NFKC", self.question).casefold().split()
        texts = [" ".join(words).rstrip(_CLOSING), *(note.content for note in self.notes)]
        return hashlib.sha256(json.dumps(texts).encode()).hexdigest()

    def __post_init__(self) -> None:
        _check_text(self.question, "question", MAX_QUESTION_CHARS)
        if self.reference_answer is not None:
            _check_text(self.reference_answer, "reference_answer", MAX_REFERENCE_CHARS)
        if self.lang not in ("ko", "en"):
            raise InvalidRequest.worded("case-lang")
        if self.id is not None:
            _check_id(self.id, "id")
        if len(self.notes) > MAX_NOTES:
            raise InvalidRequest.worded("case-notes", most=MAX_NOTES)
        if self.expects_refusal and (self.reference_answer is not None or not self.notes):
            raise InvalidRequest.worded("case-refusal")
        if self.ground_truth_chunk_ids or not self.notes:
            _check_chunk_ids(self.ground_truth_chunk_ids)


def _check_text(text: str, name: str, most: int) -> None:
    if not text.strip():
        raise InvalidRequest.worded("case-text-empty", name=name)
    if len(text) > most:
        raise InvalidRequest.worded("case-text-too-long", name=name, most=most)
    _check_storable(text, name)


def _check_storable(text: str, name: str) -> None:
    if not is_storable(text):
        raise InvalidRequest.worded("case-text-not-storable", name=name)


def _check_id(value: str, name: str) -> None:
    if not value or len(value) > MAX_ID_CHARS or _SPACE.search(value):
        raise InvalidRequest.worded("case-id", name=name, most=MAX_ID_CHARS)
    _check_storable(value, name)


def _check_chunk_ids(ids: Sequence[str]) -> None:
    name = "ground_truth_chunk_ids"
    if not 1 <= len(ids) <= MAX_CHUNK_IDS:
        raise InvalidRequest.worded("case-chunk-count", name=name, most=MAX_CHUNK_IDS)
    for each in ids:
        _check_id(each, f"each of {name}")
    if len(set(ids)) < len(ids):
        raise InvalidRequest.worded("case-chunk-twice", name=name)


_BOM = b"\xef\xbb\xbf"

Model = TypeVar("Model", bound=BaseModel)
Row = TypeVar("Row")


def collect_cases(
    rows: Iterable[tuple[int, Row]], parse_row: Callable[[Row], TestCase]
) -> list[TestCase]:
    """The cases of a file, of which `rows` holds each with its line, from 1. One that repeats the
    question with the chunks or notes of another is left out.

    Raises InvalidRequest naming the line, for an id that comes twice too, and for no case at all.
    """
    cases: dict[object, TestCase] = {}
    line_of_id: dict[str, int] = {}
    for line, row in rows:
        try:
            case = parse_row(row)
            if case.id is not None and line_of_id.setdefault(case.id, line) != line:
                first = line_of_id[case.id]
                raise InvalidRequest.worded("case-id-twice", case_id=case.id, first=first)
        except InvalidRequest as error:
            raise at_line(error, line) from error
        asked = (case.question, frozenset(case.ground_truth_chunk_ids))
        cases.setdefault(case.key or asked, case)
    if not cases:
        raise InvalidRequest.worded("no-cases")
    return list(cases.values())


def parse_case(
    question: str,
    ground_truth_chunk_ids: Iterable[str],
    reference_answer: str | None = None,
    lang: str | None = None,
    id: str | None = None,  # noqa: A002  # the name of the field
    notes: Iterable[CaseNote] = (),
    expects_refusal: bool = False,
) -> TestCase:
    """A case from the fields of a file; an empty optional text counts as left out."""
    if lang and lang not in ("ko", "en"):
        raise InvalidRequest.worded("case-lang-written", lang=lang)
    known = lang_of(lang) if lang else detect_language(question)
    reference = reference_answer if reference_answer and reference_answer.strip() else None
    chunks, kept = tuple(ground_truth_chunk_ids), tuple(notes)
    return TestCase(question, chunks, reference, known, id or None, kept, expects_refusal)


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
        raise InvalidRequest.worded("line-not-json") from error
    if not isinstance(value, dict):
        raise InvalidRequest.worded("line-not-object")
    try:
        return model.model_validate(value)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise InvalidRequest.worded("line-field", where=where, message=first["msg"]) from error


def at_line(error: InvalidRequest, number: int) -> InvalidRequest:
    """The error with the number of its line, from 1."""
    return InvalidRequest(
        f"Line {number}: {error.detail['en']}", ko=f"{number}번째 줄: {error.detail['ko']}"
    )
