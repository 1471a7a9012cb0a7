"""The figures that queries add up, and their sources: single rows, or valid rollups of a day.

Each kind of figures is a file of SQL in `figures/`, whose rows are single judgements, calls, … and
a table of the same columns, whose rows are their sums by hour or day and by `keys`. A query that
adds figures up therefore gives the same of either, and of both together. `at` is when the answer
was finished, or when the hour or day (UTC) began.
"""

import datetime as dt
import uuid
import zoneinfo
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from typing import Literal

from app.platform.db.statements import fill_in, in_list, load_sql, strip_comments
from app.verdicts.status import UNFINISHED

Bucket = Literal["hour", "day"]
_FOLDER = resources.files("app.quality.analytics") / "figures"


@dataclass(frozen=True, slots=True)
class Figures:
    """`keys` are grouped by; of the other columns the rollup keeps the sums, the least and the
    greatest values. `numeric_sums` are of integers of 64 bits whose sums may be longer."""

    name: str
    bucket: Bucket
    keys: tuple[str, ...]
    sums: tuple[str, ...]
    numeric_sums: tuple[str, ...] = ()
    minima: tuple[str, ...] = ()
    maxima: tuple[str, ...] = ()

    @property
    def view(self) -> str:
        """Of the rollup, in the schema `analytics`."""
        return f"{'hourly' if self.bucket == 'hour' else 'daily'}_{self.name}"

    @property
    def table(self) -> str:
        return f"qa_{self.view}"

    @property
    def columns(self) -> tuple[str, ...]:
        return "at", *self.keys, *self.sums, *self.numeric_sums, *self.minima, *self.maxima

    def rows(self, **fragments: str) -> str:
        """The SQL of the single rows, with columns of the names of `columns`."""
        return fill_in(
            strip_comments((_FOLDER / f"{self.name}.sql").read_text("utf-8")), **fragments
        )

    def summed(self, rows: str) -> str:
        """`rows` as one row for each bucket and combination of keys."""
        sums = (
            *(f"sum({name}) AS {name}" for name in (*self.sums, *self.numeric_sums)),
            *(f"min({name}) AS {name}" for name in self.minima),
            *(f"max({name}) AS {name}" for name in self.maxima),
        )
        return (
            f"SELECT date_trunc('{self.bucket}', at, 'UTC') AS at, {', '.join(self.keys)},"
            f" {', '.join(sums)}\nFROM (\n{rows}\n) f\n"
            f"GROUP BY {', '.join(str(n + 1) for n in range(len(self.keys) + 1))}"
        )


FIGURES = (
    Figures(
        "verdicts",
        "hour",
        keys=(
            *("judge_key", "judge_model", "made_by", "prompt_version", "is_current", "is_skipped"),
            *("reason", "lang", "feature", "answer_model", "search_method"),
        ),
        sums=(
            *("answers", "judged", "scored", "degraded", "skipped", "failed", "pending"),
            *("undecided", "correctness", "with_utility", "utility"),
            *("high", "medium", "low"),
            *("with_claims", "claims_supported", "claims_partly", "claims_unsupported"),
            *("claims_contradicted", "claims_not_in_notes", "claims_misattributed"),
            *("claims_stitched", "rightly_refused", "falsely_refused"),
            *("undegraded", "from_cache", "attempts", "tries", "crashes"),
        ),
        numeric_sums=("correctness_squares", "utility_squares"),
        minima=("first_requested_at",),
    ),
    Figures(
        "calls",
        "hour",
        keys=("judge_model",),
        sums=(
            *("calls", "errors", "malformed", "prompt_tokens", "completion_tokens"),
            *("cached_tokens", "cost_usd", "unpriced", "batched", "batched_cost_usd"),
        ),
    ),
    Figures(
        "issues",
        "hour",
        keys=("judge_model", "kind"),
        sums=("issues", "answers"),
        maxima=("example",),
    ),
    Figures(
        "pairs",
        "hour",
        keys=("judge_model", "first_key", "second_key"),
        sums=("pairs", "first_correctness", "second_correctness"),
        numeric_sums=("difference_squares",),
    ),
    Figures(
        "note_uses",
        "day",
        keys=("judge_model", "note_id", "foreign_title"),
        sums=("given", "cited", "ignored", "misquoted"),
        maxima=("title",),
    ),
    Figures(
        "note_citations",
        "day",
        keys=("judge_model", "note_id", "foreign_title"),
        sums=("cited", "scored", "correctness", "ungrounded", "misquoted"),
        maxima=("title",),
    ),
)


@dataclass(frozen=True, slots=True)
class Filters:
    """Days are those of the time zone `tz`, both ends included. `model` is the judge that was
    asked. None filters nothing; a `limit` of None gives all rows. app_version, environment, tag:
    see app.verdicts.answers.attributes."""

    since: dt.date | None = None
    until: dt.date | None = None
    model: str | None = None
    notebook_id: uuid.UUID | None = None
    tz: str = "UTC"
    limit: int | None = None
    app_version: str | None = None
    environment: str | None = None
    tag: str | None = None


_PACKAGE = "app.quality.analytics"
AND = "\n    AND "
_SINCE = "%(since)s::timestamp AT TIME ZONE %(tz)s"
_UNTIL = "(%(until)s + 1)::timestamp AT TIME ZONE %(tz)s"
# As many days before.
_BEFORE = (
    "(%(since)s::date - (%(until)s::date - %(since)s::date + 1))::timestamp AT TIME ZONE %(tz)s"
)
_OF_DAY = {
    "day_from": "v.answered_at >= u.day AT TIME ZONE 'UTC'",
    "day_until": "v.answered_at < (u.day + interval '1 day') AT TIME ZONE 'UTC'",
}
_UNFINISHED = in_list(UNFINISHED)
_HOUR = dt.timedelta(hours=1)
# Answers are not older, and no time zone changes its offset for a shorter time.
_FIRST_DAY = dt.date(2000, 1, 1).toordinal()
_DAYS_APART = 20


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
        "app_version": (filters.app_version, "v.app_version = %(app_version)s"),
        "environment": (filters.environment, "v.environment = %(environment)s"),
        "tag": (filters.tag, "v.tags @> ARRAY[%(tag)s::text]"),
    }
    return {name: sql for name, (value, sql) in every.items() if value is not None}


def answer_filters(asked: Mapping[str, str]) -> str:
    """Days said of the answer too find it by its own index."""
    days = [c.replace("v.answered_at", "v.stored_at") for c in asked.values() if "answered_at" in c]
    return AND.join([*asked.values(), *days]) or "true"


def can_use_rollups(filters: Filters, workspace_id: uuid.UUID | None) -> bool:
    """Rollups are kept by hour (UTC) and know no notebooks and no attributes."""
    unknown = (filters.notebook_id, filters.app_version, filters.environment, filters.tag)
    if workspace_id is None or any(each is not None for each in unknown):
        return False
    if filters.since is None or filters.until is None:
        return False
    # The days of the period before are asked for as well.
    first = 2 * filters.since.toordinal() - filters.until.toordinal() - 1
    days = range(max(first, _FIRST_DAY), filters.until.toordinal() + 1, _DAYS_APART)
    moments = [*map(dt.datetime.fromordinal, days), dt.datetime.combine(filters.until, dt.time.max)]
    zone = zoneinfo.ZoneInfo(filters.tz)
    return all(not (zone.utcoffset(each) or dt.timedelta()) % _HOUR for each in moments)


def figures(filters: Filters, workspace_id: uuid.UUID | None, *, rolled: bool) -> Mapping[str, str]:
    """The replacement of each `{name}` after FROM."""
    asked = conditions(filters, workspace_id)
    found = {each.name: _source(each, asked, rolled=rolled) for each in FIGURES}
    verdicts = FIGURES[0]
    both = conditions(filters, workspace_id, since=_BEFORE)
    return found | {
        "verdicts_of_both_periods": _source(verdicts, both, rolled=rolled, since=_BEFORE),
        "times": _times(filters, rolled=rolled),
        "slowest": _slowest(filters, asked, rolled=rolled),
        "verdicts_by_answer": _source(verdicts, asked, rolled=rolled, by_answer=True),
    }


PERCENTILES = ", ".join(
    f"percentile_cont(ARRAY[0.5, 0.95, 0.99]) WITHIN GROUP (ORDER BY v.{name}) AS {name}"
    for name in ("queue_ms", "judge_ms", "verdict_ms")
)


def _times(filters: Filters, *, rolled: bool) -> str:
    """Percentiles of whole days; none where rollups may not be read."""
    asks_all = filters.since is None or filters.until is None
    return load_sql(
        _PACKAGE,
        "rolled_times",
        rolled="true" if rolled else "false",
        judge_model="IS NULL" if filters.model is None else "= %(model)s",
        since="'-infinity'" if asks_all else _SINCE,
        until="'infinity'" if asks_all else _UNTIL,
    )


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
    of_day = {**asked, **_OF_DAY}
    wide = {name: f"x.{name}::numeric" for name in figures.numeric_sums}
    return load_sql(
        _PACKAGE,
        "rolled_figures",
        columns=", ".join(f"r.{name}" for name in figures.columns),
        single_columns=", ".join(wide.get(name, f"x.{name}") for name in figures.columns),
        view=figures.view,
        hours="24" if figures.bucket == "day" else "1",
        since=since,
        until=_UNTIL,
        condition="r.judge_model = %(model)s" if "model" in asked else "true",
        rows=rows(figures, of_day, by_answer=by_answer),
        whole=_whole(since) if figures.bucket == "day" else "",
    )


def _slowest(filters: Filters, asked: Mapping[str, str], *, rolled: bool) -> str:
    if not rolled or filters.limit is None:
        return f"(\n{_timed(asked)}\n)"
    return load_sql(
        _PACKAGE,
        "rolled_slowest",
        since=_SINCE,
        until=_UNTIL,
        whole=_whole(_SINCE),
        condition="r.judge_model = %(model)s" if filters.model is not None else "true",
        rows=_timed({**asked, **_OF_DAY}),
    )


def _timed(asked: Mapping[str, str]) -> str:
    return load_sql(_PACKAGE, "timed_verdicts", filters=AND.join(asked.values()) or "true")


def _whole(since: str) -> str:
    """Of which days the sums may be read: those that are asked for from beginning to end."""
    return (
        f"{AND}u.day AT TIME ZONE 'UTC' >= {since}"
        f"{AND}(u.day + interval '1 day') AT TIME ZONE 'UTC' <= {_UNTIL}"
    )


def rows(figures: Figures, asked: Mapping[str, str], *, by_answer: bool = False) -> str:
    """The single rows that are asked for."""
    filters = AND.join(asked.values()) or "true"
    return figures.rows(
        filters=answer_filters(asked) if by_answer else filters,
        filters_of_other=filters.replace("v.", "w."),
        unfinished=_UNFINISHED,
    )
