"""Where a query reads its figures: single rows, or rollups where a day has one that is valid."""

import datetime as dt
import uuid
import zoneinfo
from collections.abc import Mapping
from dataclasses import dataclass

from app.analytics.figures import FIGURES, Figures
from app.db.statements import in_list
from app.verdicts.status import UNFINISHED


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


AND = "\n    AND "
_SINCE = "%(since)s::timestamp AT TIME ZONE %(tz)s"
_UNTIL = "(%(until)s + 1)::timestamp AT TIME ZONE %(tz)s"
# As many days before.
_BEFORE = "(%(since)s::date - (%(until)s::date - %(since)s::date + 1))::timestamp AT TIME ZONE %(tz)s"
_UNFINISHED = in_list(UNFINISHED)
# Whether most of the days asked for have a rollup: single rows of many days are read faster in one go,
# by several processes, than day by day.
MANY_ROLLED = """
SELECT 2 * count(*) > %(until)s::date - %(since)s::date FROM analytics.rolled_days d
WHERE d.workspace_id = %(workspace_id)s AND d.day BETWEEN %(since)s::date AND %(until)s::date
"""


def conditions(
    filters: Filters, workspace_id: uuid.UUID | None, *, since: str = _SINCE
) -> Mapping[str, str]:
    """By filter, on `v`; those that were asked for."""
    every: Mapping[str, tuple[object, str]] = {
        "workspace_id": (workspace_id, "v.workspace_id = %(workspace_id)s"),
        "since": (filters.since, f"v.answered_at >= {since}"),
        "until": (filters.until, f"v.answered_at < {_UNTIL}"),
        "model": (filters.model, "v.judge_model = %(model)s"),
        "notebook_id": (filters.notebook_id, "v.notebook_id = %(notebook_id)s"),
    }
    return {name: sql for name, (value, sql) in every.items() if value is not None}


def of_answers(asked: Mapping[str, str]) -> str:
    """Days said of the answer too find it by its own index."""
    days = [c.replace("v.answered_at", "v.stored_at") for c in asked.values() if "answered_at" in c]
    return AND.join([*asked.values(), *days]) or "true"


def can_use_rollups(filters: Filters, workspace_id: uuid.UUID | None) -> bool:
    """Rollups are kept by hour (UTC) and know no notebooks."""
    if workspace_id is None or filters.notebook_id is not None:
        return False
    if filters.since is None or filters.until is None:
        return False
    zone = zoneinfo.ZoneInfo(filters.tz)
    # The days of the period before are asked for as well.
    length = filters.until - filters.since + dt.timedelta(days=1)
    first = filters.since - length if filters.since - dt.date.min > length else dt.date.min
    return all(
        offset is not None and not offset % dt.timedelta(hours=1)
        for offset in _offsets(first, filters.until, zone)
    )


def _offsets(
    first: dt.date, last: dt.date, zone: zoneinfo.ZoneInfo
) -> "list[dt.timedelta | None]":
    days = range(first.toordinal(), last.toordinal() + 1)
    midnights = (dt.datetime.combine(dt.date.fromordinal(day), dt.time(), zone) for day in days)
    return [midnight.utcoffset() for midnight in midnights]


def figures(
    filters: Filters, workspace_id: uuid.UUID | None, *, rolled: bool
) -> Mapping[str, str]:
    """What stands for each `{name}` after FROM."""
    asked = conditions(filters, workspace_id)
    found = {each.name: _source(each, asked, rolled=rolled) for each in FIGURES}
    verdicts = FIGURES[0]
    both = conditions(filters, workspace_id, since=_BEFORE)
    return found | {
        "verdicts_of_both_periods": _source(verdicts, both, rolled=rolled, since=_BEFORE),
        "verdicts_by_answer": _source(verdicts, asked, rolled=rolled, by_answer=True),
    }


def _source(
    figures: Figures,
    asked: Mapping[str, str],
    *,
    rolled: bool,
    since: str = _SINCE,
    by_answer: bool = False,
) -> str:
    if not rolled:
        return f"(\n{rows(figures, asked, by_answer=by_answer)}\n)"
    day = {
        "day_from": "v.answered_at >= u.day AT TIME ZONE 'UTC'",
        "day_to": "v.answered_at < (u.day + interval '1 day') AT TIME ZONE 'UTC'",
    }
    single = rows(figures, {**asked, **day}, by_answer=by_answer)
    model = f"{AND}r.judge_model = %(model)s" if "model" in asked else ""
    whole = (
        f"{AND}u.day AT TIME ZONE 'UTC' >= {since}"
        f"{AND}(u.day + interval '1 day') AT TIME ZONE 'UTC' <= {_UNTIL}"
    )
    columns = ", ".join(f"r.{name}" for name in figures.columns)
    casts = ", ".join(
        f"x.{name}::numeric" if name in figures.numeric_sums else f"x.{name}"
        for name in figures.columns
    )
    is_rolled = (
        "EXISTS (SELECT FROM analytics.rolled_days d\n"
        "        WHERE d.workspace_id = %(workspace_id)s AND d.day = {day})"
    )
    of_bucket = "(r.at AT TIME ZONE 'UTC')::date"
    return f"""(
    SELECT {columns}
    FROM analytics.{figures.view} r
    WHERE r.workspace_id = %(workspace_id)s
    AND r.at >= {since}
    AND r.at <= {_UNTIL} - interval '1 {figures.bucket}'{model}
    AND {is_rolled.format(day=of_bucket)}
    UNION ALL
    SELECT {casts}
    FROM generate_series(date_trunc('day', ({since}) AT TIME ZONE 'UTC'),
        ({_UNTIL}) AT TIME ZONE 'UTC' - interval '1 us', interval '1 day') u (day)
    CROSS JOIN LATERAL (
{single}
    -- Day by day: in one go PostgreSQL would read all days and then choose.
    OFFSET 0
    ) x
    WHERE NOT ({is_rolled.format(day="u.day::date")}{whole if figures.bucket == "day" else ""})
)"""


def rows(figures: Figures, asked: Mapping[str, str], *, by_answer: bool = False) -> str:
    """The single rows that are asked for."""
    filters = AND.join(asked.values()) or "true"
    return figures.rows(
        filters=of_answers(asked) if by_answer else filters,
        filters_of_other=filters.replace("v.", "w."),
        unfinished=_UNFINISHED,
    )
