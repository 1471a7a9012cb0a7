"""Rows as CSV, JSON lines or Parquet, written batch by batch."""

import csv
import enum
import io
import json
from collections.abc import Sequence
from typing import IO, Any, Protocol

from app.platform.errors import InvalidRequest
from app.quality.analytics.queries import Column, Row
from app.text.csv_cells import escape_cell


class ExportFormat(enum.StrEnum):
    CSV = "csv"
    JSONL = "jsonl"
    PARQUET = "parquet"

    @property
    def media_type(self) -> str:
        return _MEDIA_TYPES[self]


_MEDIA_TYPES = {
    ExportFormat.CSV: "text/csv; charset=utf-8",
    ExportFormat.JSONL: "application/jsonl",
    ExportFormat.PARQUET: "application/vnd.apache.parquet",
}


class Writer(Protocol):
    def write(self, rows: Sequence[Row]) -> None: ...

    def close(self) -> None:
        """Completes the file and leaves it open."""


def open_writer(format_: ExportFormat, columns: Sequence[Column], file: IO[bytes]) -> Writer:
    """Raises InvalidRequest for Parquet where pyarrow is not installed."""
    makers: dict[ExportFormat, type[Any]] = {
        ExportFormat.CSV: _Csv,
        ExportFormat.JSONL: _JsonLines,
        ExportFormat.PARQUET: _Parquet,
    }
    writer: Writer = makers[format_](columns, file)
    return writer


class _Csv:
    """A header, then a line for each row. What is not known is an empty cell."""

    def __init__(self, columns: Sequence[Column], file: IO[bytes]) -> None:
        self._text = io.TextIOWrapper(file, "utf-8", newline="", write_through=True)
        self._lines = csv.writer(self._text)
        self._lines.writerow([column.name for column in columns])

    def write(self, rows: Sequence[Row]) -> None:
        self._lines.writerows([_cell(value) for value in row] for row in rows)

    def close(self) -> None:
        self._text.detach()


def _cell(value: Any) -> Any:
    if isinstance(value, str):
        return escape_cell(value)
    if isinstance(value, bool):
        return str(value).lower()
    return value.isoformat() if hasattr(value, "isoformat") else value


class _JsonLines:
    """One JSON object a line, with null for what is not known."""

    def __init__(self, columns: Sequence[Column], file: IO[bytes]) -> None:
        self._names = [column.name for column in columns]
        self._file = file

    def write(self, rows: Sequence[Row]) -> None:
        for row in rows:
            known = dict(zip(self._names, row, strict=True))
            line = json.dumps(known, ensure_ascii=False, default=_as_text)
            self._file.write(line.encode() + b"\n")

    def close(self) -> None:
        """There is nothing to complete."""


def _as_text(value: Any) -> str:
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


class _Parquet:
    """A row group for each batch. The schema is there without any."""

    def __init__(self, columns: Sequence[Column], file: IO[bytes]) -> None:
        # An extra, because it takes 170 MB; imported here, because most processes write no Parquet.
        try:
            import pyarrow as pa
            import pyarrow.parquet as pq
        except ImportError:
            raise InvalidRequest(
                "This server cannot write Parquet: install the extra searchqa[parquet], or ask for"
                " csv or jsonl.",
                ko="이 서버에는 Parquet 지원이 없습니다. searchqa[parquet]를 설치하거나 csv 또는"
                " jsonl로 요청하세요.",
                code="parquet-not-installed",
            ) from None

        types = {
            "date": pa.date32(),
            "timestamp": pa.timestamp("us", tz="UTC"),
            "integer": pa.int64(),
            "number": pa.float64(),
            "boolean": pa.bool_(),
            "text": pa.string(),
            "uuid": pa.string(),
        }
        fields = [
            pa.field(c.name, types[c.type], metadata={"description": c.description})
            for c in columns
        ]
        self._from_lists = pa.Table.from_pydict
        self._schema = pa.schema(fields)
        self._uuids = {c.name for c in columns if c.type == "uuid"}
        self._file = pq.ParquetWriter(file, self._schema, compression="zstd")

    def write(self, rows: Sequence[Row]) -> None:
        lists = dict(zip(self._schema.names, zip(*rows, strict=True), strict=True))
        for name in self._uuids:
            lists[name] = tuple(value and str(value) for value in lists[name])
        self._file.write_table(self._from_lists(lists, schema=self._schema))

    def close(self) -> None:
        self._file.close()
