"""Verdicts as lines of CSV or JSON for other programs."""

import csv
import io
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from enum import StrEnum
from typing import Any

from app.quality.review.explorer import EvaluationRecord, QualitySummary
from app.text.csv_cells import escape_cell

# Excel takes CSV without this mark for the system's own encoding, and shows Korean as noise.
_BYTE_ORDER_MARK = "\ufeff"
_LABELS = ("right", "partly", "wrong", "claims")
COLUMNS = [
    *(name for name in EvaluationRecord.model_fields if name not in {"human", "quality"}),
    *(f"quality_{name}" for name in QualitySummary.model_fields),
    *(f"human_{label}" for label in _LABELS),
]


class Format(StrEnum):
    CSV = "csv"
    JSONL = "jsonl"


async def exported(
    pages: AsyncIterator[list[EvaluationRecord]], format_: Format
) -> AsyncIterator[bytes]:
    """The export in UTF-8, a page of records at a time."""
    write: Callable[[Sequence[EvaluationRecord]], str] = _json_lines
    if format_ is Format.CSV:
        write = _csv_lines
        yield (_BYTE_ORDER_MARK + _csv([COLUMNS])).encode()
    async for page in pages:
        yield write(page).encode()


def _json_lines(records: Sequence[EvaluationRecord]) -> str:
    return "".join(f"{record.model_dump_json()}\n" for record in records)


def _csv_lines(records: Sequence[EvaluationRecord]) -> str:
    rows = (_flat(record.model_dump(mode="json")) for record in records)
    return _csv([_cell(row[name]) for name in COLUMNS] for row in rows)


def _flat(record: dict[str, Any]) -> dict[str, Any]:
    human: Mapping[str, int] = record.pop("human") or dict.fromkeys(_LABELS, 0)
    counts = {f"human_{label}": human[label] for label in _LABELS}
    quality = record.pop("quality") or dict.fromkeys(QualitySummary.model_fields)
    checklist = {f"quality_{name}": value for name, value in quality.items()}
    return record | counts | checklist | {"issues": "\n".join(record["issues"])}


def _cell(value: object) -> object:
    return escape_cell(value) if isinstance(value, str) else value


def _csv(rows: Any) -> str:
    written = io.StringIO()
    csv.writer(written).writerows(rows)
    return written.getvalue()
