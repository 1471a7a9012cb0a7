"""Runs a named query for one workspace, into rows or into a CSV, JSON Lines or Parquet file."""

import asyncio
import csv
import dataclasses
import datetime as dt
import enum
import io
import json
import uuid
import zoneinfo
from collections.abc import Sequence
from dataclasses import dataclass
from tempfile import TemporaryFile
from typing import IO, Any, Protocol

from sqlalchemy.ext.asyncio import AsyncSession

from app.notes.service import get_notebook
from app.platform.csv_text import escape_cell
from app.platform.db.session import refuse_when_too_slow
from app.platform.errors import InvalidRequest, NotFound
from app.platform.setting_types import is_time_zone
from app.quality.analytics import queries
from app.quality.analytics.queries import Column, NamedQuery, Row, named_queries
from app.quality.analytics.sources import Filters


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
    match format_:
        case ExportFormat.CSV:
            return _Csv(columns, file)
        case ExportFormat.JSONL:
            return _JsonLines(columns, file)
        case ExportFormat.PARQUET:
            return _Parquet(columns, file)


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
            raise InvalidRequest.worded("parquet-not-installed") from None

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


DEFAULT_DAYS = 30
DEFAULT_LIMIT = 10_000
_STATEMENT_TIMEOUT = dt.timedelta(seconds=20)
_EXPORT_TIMEOUT = dt.timedelta(minutes=2)


@dataclass(frozen=True, slots=True)
class Result:
    """`filters` are those that were applied, defaults included; `sql` is the text as it was run."""

    query: NamedQuery
    filters: Filters
    sql: str
    rows: Sequence[Row]


def find_query(name: str) -> NamedQuery:
    """Raises NotFound that says where the names are."""
    query = named_queries().get(name)
    if query is None:
        raise NotFound.worded("no-such-query")
    return query


async def run(
    session: AsyncSession, workspace_id: uuid.UUID, name: str, filters: Filters
) -> Result:
    """At most `limit` rows; if it is None, 10,000 of a listing. Raises NotFound for a name or a
    notebook that is not there, InvalidRequest for filters that cannot be applied."""
    query = find_query(name)
    # Sums have few rows, but PostgreSQL cannot estimate that: with a LIMIT it would look up
    # row by row in the hope of stopping soon.
    limit = filters.limit or (DEFAULT_LIMIT if query.listing else None)
    limited = dataclasses.replace(filters, limit=limit)
    applied = await applied_filters(session, workspace_id, limited)
    return Result(query, applied, *await text_and_rows(session, workspace_id, query.sql, applied))


async def text_and_rows(
    session: AsyncSession, workspace_id: uuid.UUID, template: str, applied: Filters
) -> tuple[str, Sequence[Row]]:
    """The SQL as it was run, and all rows. Raises InvalidRequest where they take too long, or there
    are none because the judge that was asked about was never called."""
    with refuse_when_too_slow(_too_slow()):
        connection, sql = await queries.prepared(
            session, template, applied, workspace_id, time_limit=_STATEMENT_TIMEOUT
        )
        rows = await queries.rows(connection, sql)
    if not rows:
        await _check_model(session, workspace_id, applied.model)
    return sql, rows


async def export(
    session: AsyncSession,
    workspace_id: uuid.UUID,
    name: str,
    filters: Filters,
    format_: ExportFormat,
) -> IO[bytes]:
    """A nameless temporary file, at its beginning; no row at all still makes a valid one. All
    rows unless `limit` is set. Raises as `run` does.

    The rows pass through the file, so that a slow reader holds no transaction open, and an error
    comes before the first byte has been sent.
    """
    query = find_query(name)
    applied = await applied_filters(session, workspace_id, filters)
    file = TemporaryFile()  # noqa: SIM115  the caller closes it
    try:
        empty = True
        with refuse_when_too_slow(_too_slow()):
            connection, sql = await queries.prepared(
                session, query.sql, applied, workspace_id, time_limit=_EXPORT_TIMEOUT
            )
            writer = await asyncio.to_thread(open_writer, format_, query.columns, file)
            async for batch in queries.batches(connection, sql):
                empty = False
                await asyncio.to_thread(writer.write, batch)
        await asyncio.to_thread(writer.close)
        if empty:
            await _check_model(session, workspace_id, applied.model)
    except BaseException:
        file.close()
        raise
    file.seek(0)
    return file


async def applied_filters(
    session: AsyncSession, workspace_id: uuid.UUID, filters: Filters
) -> Filters:
    """With the last 30 days where no days are named. Raises NotFound for a notebook that is not
    there, InvalidRequest for days or a time zone that cannot be applied."""
    if not is_time_zone(filters.tz):
        raise InvalidRequest.worded("unknown-time-zone")
    if filters.notebook_id is not None:
        await get_notebook(session, workspace_id, filters.notebook_id)
    today = dt.datetime.now(zoneinfo.ZoneInfo(filters.tz)).date()
    until = filters.until or max(today, filters.since or today)
    first = dt.date.fromordinal(max(1, until.toordinal() - DEFAULT_DAYS + 1))
    since = filters.since or first
    if since > until:
        raise InvalidRequest.worded("since-after-until", since=since, until=until)
    return dataclasses.replace(filters, since=since, until=until)


async def _check_model(session: AsyncSession, workspace_id: uuid.UUID, model: str | None) -> None:
    """Raises InvalidRequest when there is nothing because that judge was never called."""
    if model is None:
        return
    known = await queries.list_judge_models(session, workspace_id)
    if model not in known:
        names = ", ".join(known) or "-"
        raise InvalidRequest.worded("model-never-asked", names=names)


def _too_slow() -> InvalidRequest:
    return InvalidRequest.worded("query-too-slow")
