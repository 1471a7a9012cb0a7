"""Datasets as files: JSON lines, and CSV for spreadsheets.

Readers take bytes, with or without a byte order mark, and raise InvalidRequest that names the
line. Writers give bytes that their reader turns into the same cases.
"""

import csv
import enum
import io
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import partial

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from app.experiments.datasets.cases import (
    CaseNote,
    TestCase,
    at_line,
    collect_cases,
    numbered_lines,
    parse_case,
    parse_object,
)
from app.notes.importers.markdown import decoded
from app.platform.csv_text import escape_cell, unescape_cell
from app.platform.errors import InvalidRequest

COLUMNS = ("id", "question", "ground_truth_chunk_ids", "reference_answer", "lang")
# Only where a case has notes of its own.
_OF_NOTES = ("notes", "expects_refusal")
_NEEDED = ("question", "ground_truth_chunk_ids")
_NOTES = TypeAdapter(list[CaseNote])
# Of one cell, which may hold all notes of a case.
csv.field_size_limit(2**20)
_DELIMITERS = ",;\t"
_BETWEEN_IDS = re.compile(r"[\s,;|]+")
_PLAIN_ID = re.compile(r"[\w.:#/-]+")


class CaseFormat(enum.StrEnum):
    """jsonl: one JSON object a line. csv: one row a case, below a header."""

    JSONL = "jsonl"
    CSV = "csv"

    @property
    def media_type(self) -> str:
        return "application/x-ndjson" if self is CaseFormat.JSONL else "text/csv; charset=utf-8"


def read_cases(data: bytes, format_: CaseFormat) -> list[TestCase]:
    """Raises InvalidRequest naming the line."""
    return read_jsonl(data) if format_ is CaseFormat.JSONL else read_csv(data)


def write_cases(cases: Sequence[TestCase], format_: CaseFormat) -> bytes:
    """A file that `read_cases` reads as the same cases."""
    return write_jsonl(cases) if format_ is CaseFormat.JSONL else write_csv(cases)


class _Line(BaseModel):
    model_config = ConfigDict(extra="ignore", strict=True)

    question: str
    ground_truth_chunk_ids: list[str]
    reference_answer: str | None = None
    lang: str | None = None
    id: str | None = None
    notes: list[CaseNote] = []
    expects_refusal: bool = False


def read_jsonl(data: bytes) -> list[TestCase]:
    """A case for each line that is not blank.

    A line holds `question` and `ground_truth_chunk_ids` (a list), and may hold
    `reference_answer`, `lang` (ko or en, else detected), `id`, `notes` and `expects_refusal`; other
    fields are ignored. Raises InvalidRequest naming the first line that is wrong.
    """
    return collect_cases(
        numbered_lines(data), lambda line: parse_case(**dict(parse_object(line, _Line)))
    )


def write_jsonl(cases: Iterable[TestCase]) -> bytes:
    """UTF-8; fields that are None are left out."""
    lines = []
    for case in cases:
        fields = {name: getattr(case, name) for name in COLUMNS if getattr(case, name) is not None}
        if case.notes:
            fields |= {"notes": _noted(case), "expects_refusal": case.expects_refusal}
        lines.append(f"{json.dumps(fields, ensure_ascii=False)}\n")
    return "".join(lines).encode()


def _noted(case: TestCase) -> list[dict[str, str]]:
    """Without their ids, which another workspace does not have."""
    return [note.model_dump(exclude={"note_id"}) for note in case.notes]


def read_csv(data: bytes) -> list[TestCase]:
    """A case for each row below the header, which names the COLUMNS that are there, in any order.

    UTF-8, else CP949, which Excel writes in Korea; commas, semicolons or tabs between cells.
    Chunk ids stand in one cell, with blanks, commas, semicolons or bars between them, or as a
    JSON list. Other columns are ignored. Raises InvalidRequest naming the first line
    that is wrong.
    """
    rows = _rows(decoded(data.removeprefix(b"\xef\xbb\xbf"), "CSV"))
    _, first = next(rows, (1, None))
    if first is None:
        raise InvalidRequest.worded("no-cases")
    header = [name.strip() for name in first]
    _check_header(header)
    return collect_cases(rows, partial(_case, header))


def _rows(text: str) -> Iterator[tuple[int, list[str]]]:
    """Rows that are not blank, by the line they begin on."""
    first = text.lstrip().partition("\n")[0]
    delimiter = max(_DELIMITERS, key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    line = 1
    try:
        for row in reader:
            if any(cell.strip() for cell in row):
                yield line, row
            line = reader.line_num + 1
    except csv.Error as error:
        problem = InvalidRequest.worded("not-csv", error=error)
        raise at_line(problem, line) from error


def _check_header(header: Sequence[str]) -> None:
    missing = [name for name in _NEEDED if name not in header]
    twice = [name for name in (*COLUMNS, *_OF_NOTES) if header.count(name) > 1]
    if missing or twice:
        problem = InvalidRequest.worded("csv-header", needed=", ".join(_NEEDED))
        raise at_line(problem, 1)


def _case(header: Sequence[str], row: Sequence[str]) -> TestCase:
    if len(row) != len(header):
        raise InvalidRequest.worded("csv-row-length", cells=len(row), expected=len(header))
    cells = {name: unescape_cell(cell) for name, cell in zip(header, row, strict=True)}
    return parse_case(
        cells["question"],
        _chunk_ids(cells["ground_truth_chunk_ids"].strip()),
        cells.get("reference_answer"),
        cells.get("lang", "").strip(),
        cells.get("id", "").strip(),
        _notes(cells.get("notes", "").strip()),
        cells.get("expects_refusal", "").strip().lower() == "true",
    )


def _notes(cell: str) -> list[CaseNote]:
    try:
        return _NOTES.validate_json(cell or "[]")
    except ValidationError:
        raise InvalidRequest.worded("csv-notes") from None


def _chunk_ids(cell: str) -> list[str]:
    if not cell.startswith("["):
        return [each for each in _BETWEEN_IDS.split(cell) if each]
    try:
        ids = json.loads(cell)
    except (ValueError, RecursionError):
        ids = None
    if not isinstance(ids, list) or not all(isinstance(each, str) for each in ids):
        raise InvalidRequest.worded("csv-chunk-ids")
    return ids


def write_csv(cases: Sequence[TestCase]) -> bytes:
    """UTF-8 with a byte order mark, without which Excel takes Korean for another encoding."""
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    noted = any(case.notes for case in cases)
    writer.writerow(COLUMNS + _OF_NOTES if noted else COLUMNS)
    for case in cases:
        ids = case.ground_truth_chunk_ids
        plain = all(_PLAIN_ID.fullmatch(each) for each in ids)
        cells: tuple[str, ...] = (
            case.id or "",
            case.question,
            " ".join(ids) if plain else json.dumps(ids, ensure_ascii=False),
            case.reference_answer or "",
            case.lang,
        )
        if noted:
            notes = json.dumps(_noted(case), ensure_ascii=False) if case.notes else ""
            cells += (notes, "true" if case.expects_refusal else "")
        writer.writerow([escape_cell(cell) for cell in cells])
    return b"\xef\xbb\xbf" + out.getvalue().encode()
