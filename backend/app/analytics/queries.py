"""The named queries: one file of SQL each in `named/`, with what it means in a comment on top.

In the SQL, `v` is analytics.verdicts. `{filters}` stands for the requested filters,
`{filters_of_answers}` for the same where each answer's own columns are read, `{filters_but_days}`
for those without `since` and `until`, `{day}` for the
day of the answer, `{coverage}` for the counts of what became of all answers, `{unfinished}` for the
states of a verdict that is still to come.
"""

import datetime as dt
import uuid
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Literal

import yaml
from psycopg import AsyncClientCursor
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncSession

from app.db.statements import fill_in, in_list
from app.verdicts.status import UNFINISHED

Type = Literal["date", "timestamp", "integer", "number", "boolean", "text", "uuid"]
Row = Sequence[Any]

_FOLDER = resources.files("app.analytics") / "named"
_BATCH = 5_000


@dataclass(frozen=True, slots=True)
class Column:
    """`unit` is None for what has none; 0..1 is a share or a score."""

    name: str
    type: Type
    unit: str | None
    description: str


@dataclass(frozen=True, slots=True)
class NamedQuery:
    """`listing` gives single rows; others give a few of sums and means."""

    name: str
    title_ko: str
    title_en: str
    description: str
    columns: tuple[Column, ...]
    sql: str
    listing: bool


@dataclass(frozen=True, slots=True)
class Filters:
    """Days are those of the time zone `tz`, both ends included. `model` is the judge that was
    asked. None filters nothing; a `limit` of None gives all rows."""

    since: dt.date | None = None
    until: dt.date | None = None
    model: str | None = None
    notebook_id: uuid.UUID | None = None
    tz: str = "UTC"
    limit: int | None = None


COVERAGE = (
    Column("answers", "integer", "answers", "All answers."),
    Column("judged", "integer", "answers", "Of them with a verdict, degraded ones included."),
    Column("scored", "integer", "answers", "Verdicts the averages are of: none degraded."),
    Column("degraded", "integer", "answers", "Verdicts of rules that stood in for a judge."),
    Column("skipped", "integer", "answers", "Not judged, for a stated reason."),
    Column("failed", "integer", "answers", "Judging failed."),
    Column("pending", "integer", "answers", "The verdict is still to come."),
)
_UNFINISHED = in_list(UNFINISHED)
_COVERAGE_SQL = f"""\
count(*) AS answers,
    count(*) FILTER (WHERE v.status = 'succeeded') AS judged,
    count(v.correctness) FILTER (WHERE NOT v.degraded) AS scored,
    count(*) FILTER (WHERE v.degraded) AS degraded,
    count(*) FILTER (WHERE v.status = 'skipped') AS skipped,
    count(*) FILTER (WHERE v.status = 'failed') AS failed,
    count(*) FILTER (WHERE v.status IN ({_UNFINISHED})) AS pending"""
_AND = "\n    AND "
_DAY_SQL = "(v.answered_at AT TIME ZONE %(tz)s)::date"
_CONDITIONS: Mapping[str, str] = {
    "workspace_id": "v.workspace_id = %(workspace_id)s",
    "since": "v.answered_at >= %(since)s::timestamp AT TIME ZONE %(tz)s",
    "until": "v.answered_at < (%(until)s + 1)::timestamp AT TIME ZONE %(tz)s",
    "model": "v.judge_model = %(model)s",
    "notebook_id": "v.notebook_id = %(notebook_id)s",
}

# Times are shown in the time zone that days are counted in. Sorts and joins over a million verdicts
# stay in memory. Compiling a query takes longer than these run, and on what is in memory or on a
# solid-state disk an index costs little.
_PREPARE = text(
    "SELECT set_config('TimeZone', :tz, true), set_config('work_mem', '64MB', true),"
    " set_config('jit', 'off', true), set_config('random_page_cost', '1.1', true),"
    " set_config('statement_timeout', :timeout, true)"
)
_ASKED_MODELS = text(
    "SELECT DISTINCT judge_model FROM qa_evaluations WHERE workspace_id = :workspace_id"
    " ORDER BY judge_model"
)


@cache
def named_queries() -> Mapping[str, NamedQuery]:
    """All of them, by name in the order of the alphabet."""
    files = sorted(_FOLDER.iterdir(), key=lambda file: file.name)
    read = (_read(file.name.removesuffix(".sql"), file.read_text("utf-8")) for file in files)
    return {query.name: query for query in read}


def _read(name: str, written: str) -> NamedQuery:
    head, _, sql = written.removeprefix("/*").partition("*/")
    about = yaml.safe_load(head)
    columns: list[Column] = []
    for column in about["columns"]:
        columns += COVERAGE if column == "coverage" else [Column(*column)]
    titles = {key: about[key] for key in ("title_ko", "title_en", "description")}
    listing = about.get("listing", False)
    return NamedQuery(name, columns=tuple(columns), sql=sql.strip(), listing=listing, **titles)


def statement(
    query: NamedQuery, filters: Filters, workspace_id: uuid.UUID | None
) -> tuple[str, Mapping[str, Any]]:
    """SQL with psycopg's placeholders, and their values. Without a workspace it is of all that
    the reader may see."""
    values = {
        "workspace_id": workspace_id,
        "since": filters.since,
        "until": filters.until,
        "model": filters.model,
        "notebook_id": filters.notebook_id,
    }
    asked = [_CONDITIONS[name] for name, value in values.items() if value is not None]
    # Days said of the answer too find it by its own index.
    days = [c.replace("v.answered_at", "v.stored_at") for c in asked if "v.answered_at" in c]
    sql = fill_in(
        query.sql,
        filters=_AND.join(asked) or "true",
        filters_of_answers=_AND.join([*asked, *days]) or "true",
        filters_but_days=_AND.join(c for c in asked if "v.answered_at" not in c) or "true",
        day=_DAY_SQL,
        coverage=_COVERAGE_SQL,
        unfinished=_UNFINISHED,
    )
    if filters.limit is not None:
        sql += "\nLIMIT %(limit)s"
    return sql, {**values, "tz": filters.tz, "limit": filters.limit}


async def prepared(
    session: AsyncSession,
    query: NamedQuery,
    filters: Filters,
    workspace_id: uuid.UUID,
    *,
    patience: dt.timedelta,
) -> tuple[AsyncConnection, str]:
    """A connection that keeps the filters' time zone for this transaction, and the very text it
    is to be given, the values written into it by the driver, so that it can be copied to psql."""
    milliseconds = str(round(patience.total_seconds() * 1000))
    await session.execute(_PREPARE, {"tz": filters.tz, "timeout": milliseconds})
    connection = await session.connection()
    await connection.execution_options(no_parameters=True)
    driver = (await connection.get_raw_connection()).driver_connection
    assert driver is not None
    return connection, AsyncClientCursor(driver).mogrify(*statement(query, filters, workspace_id))


async def rows(connection: AsyncConnection, sql: str) -> Sequence[Row]:
    """All rows at once."""
    return (await connection.exec_driver_sql(sql)).all()


async def batches(connection: AsyncConnection, sql: str) -> AsyncIterator[Sequence[Row]]:
    """The rows some thousand at a time; however many there are, no more are held."""
    await connection.exec_driver_sql(f"DECLARE found NO SCROLL CURSOR FOR {sql}")
    while batch := (await connection.exec_driver_sql(f"FETCH {_BATCH} FROM found")).all():
        yield batch


async def asked_models(session: AsyncSession, workspace_id: uuid.UUID) -> Sequence[str]:
    """Judges that were asked in the workspace."""
    return (await session.scalars(_ASKED_MODELS, {"workspace_id": workspace_id})).all()
