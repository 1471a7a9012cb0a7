"""The named queries: one file of SQL each in `named/`, with what it means in a comment on top.

In the SQL, `v` is analytics.verdicts. `{filters}` stands for the requested filters,
`{filters_of_answers}` for the same where each answer's own columns are read, `{day}` for the day of
the answer, `{unfinished}` for the states of a verdict that is still to come.

Queries that add up read `f`: figures of single judgements, or their sums (see `figures`). The name
of the figures, such as `{verdicts}`, stands for where to read them; `{bucket_day}` for their day;
`{coverage}` for the counts of what became of all answers; `{mean_...}` and `{error_of_...}` for a
mean and for 1.96 times its standard error. `{times}` are percentiles of days that have been rolled
up, `{percentiles}` those of single verdicts, `{slowest}` verdicts among which the slowest are.
`{by_time}` orders by the first column: oldest first, but newest first where `limit` cuts rows off.
"""

import dataclasses
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

from app.platform.db.statements import SqlFile, fill_in, in_list
from app.quality.analytics import sources
from app.verdicts.status import UNFINISHED

Type = Literal["date", "timestamp", "integer", "number", "boolean", "text", "uuid"]
Row = Sequence[Any]

_FOLDER = resources.files("app.quality.analytics") / "named"
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


COVERAGE = (
    Column("answers", "integer", "answers", "All answers."),
    Column("judged", "integer", "answers", "Of them with a verdict, degraded ones included."),
    Column("scored", "integer", "answers", "Verdicts the averages are of: none degraded."),
    Column("decided", "integer", "answers", "Of the scored, those that rules did not leave open."),
    Column("rightly_refused", "integer", "answers", "Judged, not scored: the notes do not say."),
    Column("degraded", "integer", "answers", "Verdicts of rules that stood in for a judge."),
    Column("skipped", "integer", "answers", "Not judged, for a stated reason."),
    Column("failed", "integer", "answers", "Judging failed."),
    Column("pending", "integer", "answers", "The verdict is still to come."),
)
# Days that an earlier release rolled up do not count these.
_LATER_SQL = {
    "decided": "sum(f.scored) - COALESCE(sum(f.undecided), 0)",
    "rightly_refused": "COALESCE(sum(f.rightly_refused), 0)",
}
_COVERAGE_SQL = ",\n    ".join(
    f"{_LATER_SQL.get(column.name, f'sum(f.{column.name})')} AS {column.name}"
    for column in COVERAGE
)
_SQL = SqlFile("app.quality.analytics", "fragments")


def _error(total: str, squares: str, of: str) -> str:
    return _SQL("error", total=f"sum({total})", squares=f"sum({squares})", of=f"sum({of})")


_FRAGMENTS: Mapping[str, str] = {
    **{name: _SQL(name) for name in ("day", "bucket_day", "mean_correctness", "mean_utility")},
    "coverage": _COVERAGE_SQL,
    "percentiles": sources.PERCENTILES,
    "unfinished": in_list(UNFINISHED),
    "error_of_correctness": _error("f.correctness", "f.correctness_squares", "f.scored"),
    "error_of_utility": _error("f.utility", "f.utility_squares", "f.with_utility"),
    "error_of_difference": _error(
        "f.first_correctness - f.second_correctness", "f.difference_squares", "f.pairs"
    ),
}
_PREPARE = text(_SQL("prepare"))
_HAS_MANY_ROLLUPS = _SQL("has_many_rollups")
_JUDGE_MODELS = text(_SQL("judge_models"))


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
    template: str, filters: sources.Filters, workspace_id: uuid.UUID | None, *, rolled: bool = False
) -> tuple[str, Mapping[str, Any]]:
    """SQL with psycopg's placeholders, and their values. template: as in `named/`. Without a
    workspace it is of all that the reader may see. rolled: figures of days that have a valid rollup
    are read from it; see `can_use_rollups`."""
    asked = sources.conditions(filters, workspace_id)
    limit = "" if filters.limit is None else "LIMIT %(limit)s"
    sql = fill_in(
        template,
        limit=limit,
        by_time="1 DESC" if limit else "1",
        filters=sources.AND.join(asked.values()) or "true",
        filters_of_answers=sources.answer_filters(asked),
        **sources.figures(filters, workspace_id, rolled=rolled),
        **_FRAGMENTS,
    )
    return f"{sql}\n{limit}".rstrip(), {**dataclasses.asdict(filters), "workspace_id": workspace_id}


async def prepared(
    session: AsyncSession,
    template: str,
    filters: sources.Filters,
    workspace_id: uuid.UUID,
    *,
    time_limit: dt.timedelta,
) -> tuple[AsyncConnection, str]:
    """A connection that keeps the filters' time zone for this transaction, and the very text it
    is to be given, the values written into it by the driver, so that it can be copied to psql."""
    milliseconds = str(round(time_limit.total_seconds() * 1000))
    await session.execute(_PREPARE, {"tz": filters.tz, "timeout": milliseconds})
    connection = await session.connection()
    await connection.execution_options(no_parameters=True)
    driver = (await connection.get_raw_connection()).driver_connection
    assert driver is not None
    cursor = AsyncClientCursor(driver)
    rolled = False
    if adds_figures(template) and sources.can_use_rollups(filters, workspace_id):
        probe = cursor.mogrify(
            _HAS_MANY_ROLLUPS, {**dataclasses.asdict(filters), "workspace_id": workspace_id}
        )
        rolled = bool((await connection.exec_driver_sql(probe)).scalar_one())
    return connection, cursor.mogrify(*statement(template, filters, workspace_id, rolled=rolled))


def adds_figures(template: str) -> bool:
    """Whether rollups can answer the query."""
    names = (*(each.name for each in sources.FIGURES), "times", "slowest")
    return any(f"{{{name}" in template for name in names)


async def rows(connection: AsyncConnection, sql: str) -> Sequence[Row]:
    """All rows at once."""
    return (await connection.exec_driver_sql(sql)).all()


async def batches(connection: AsyncConnection, sql: str) -> AsyncIterator[Sequence[Row]]:
    """The rows some thousand at a time; however many there are, no more are held."""
    await connection.exec_driver_sql(f"DECLARE found NO SCROLL CURSOR FOR {sql}")
    while batch := (await connection.exec_driver_sql(f"FETCH {_BATCH} FROM found")).all():
        yield batch


async def list_judge_models(session: AsyncSession, workspace_id: uuid.UUID) -> Sequence[str]:
    """Judges that were asked in the workspace."""
    return (await session.scalars(_JUDGE_MODELS, {"workspace_id": workspace_id})).all()
