"""SQL of the watch, for the dispatcher, and of alarms, for the API. A transaction of the watch
looks at one workspace, which it enters as the API does. Days are those of the workspace's time
zone."""

from collections.abc import Iterable

from app.platform.db.statements import SqlFile, in_list, load_sql
from app.quality.drift.series import Series
from app.verdicts.status import UNJUDGED

_PACKAGE = "app.quality.drift"
_UNJUDGED = in_list(UNJUDGED)
_SQL = SqlFile(_PACKAGE, "queries", zone="COALESCE(p.time_zone, 'UTC')")
_GROUPS = SqlFile(_PACKAGE, "groups")

# For psycopg.
CLAIM = _SQL("claim").encode()
START = _SQL("start").encode()
ENTER = _SQL("enter").encode()
LOOKED = _SQL("looked").encode()
SUMS = load_sql(_PACKAGE, "sums", unjudged=_UNJUDGED).encode()
POINTS = _SQL("points").encode()
PUT_POINT = _SQL("put_point").encode()
PUT_ALARM = _SQL("put_alarm").encode()
HAS_DRAWS = _SQL("has_draws").encode()
COUNT_OLD_ALARMS = _SQL("count_old_alarms").encode()
DELETE_ALARMS = _SQL("delete_alarms").encode()
COUNT_OLD_POINTS = _SQL("count_old_points").encode()
DELETE_POINTS = _SQL("delete_points").encode()
LABELLED_DAYS = load_sql(_PACKAGE, "labelled_days").encode()
CELLS = load_sql(
    *("app.quality.analytics", "true_quality"),
    group_by="NULL::text",
    grounded="1",  # of a measure that is not watched
    filters="v.judge_model = %(judge_model)s"
    " AND v.answered_at >= %(since)s::timestamp AT TIME ZONE %(zone)s"
    " AND v.answered_at < %(until)s::timestamp AT TIME ZONE %(zone)s",
).encode()

_JUDGED = "e.status = 'succeeded' AND NOT e.degraded AND e.correctness IS NOT NULL"
_SCORED = f"{_JUDGED} AND e.outcome IS DISTINCT FROM 'rightly_refused'"
# What each series is the mean of, and over which answers.
_FIGURES = {
    Series.SCORE: ("e.correctness", _SCORED),
    Series.CORRECTED: ("l.human_correctness", f"{_SCORED} AND l.correctness_counts"),
    Series.COVERAGE: (f"({_JUDGED})::int::float8", "e.status <> 'skipped'"),
    Series.UNJUDGED: (f"(e.status IN ({_UNJUDGED}))::int::float8", "true"),
}
_DIMENSIONS = {
    "answer_model": "NULLIF(concat_ws(':', a.provider, a.model), '')",
    "notebook": "a.notebook_id::text",
    "lang": "a.lang::text",
    "feature": "a.feature::text",
    "app_version": "a.app_version",
    "environment": "a.environment",
}
# A verdict has a prompt; what has none has a reason.
_OF_VERDICTS = {"prompt_version": "e.prompt_version"}
_OF_OUTCOMES = {
    "reason": "CASE WHEN e.degraded THEN 'degraded' WHEN e.status = 'skipped' THEN e.reason"
    " WHEN e.status <> 'succeeded' THEN e.status END"
}
_LABELS = "JOIN analytics.sampled_labels l ON l.answer_id = e.answer_id"


def groups(answers: str, dimensions: Iterable[str], noted: str) -> str:
    """groups.sql over the answers of a statement; for psycopg. noted: the dimension of notes."""
    named = ", ".join(f"'{name}'" for name in dimensions)
    return _GROUPS("groups", answers=answers, dimensions=named, noted=noted)


def groups_of(series: Series) -> bytes:
    """The same for the figure of a series."""
    figure, measured = _FIGURES[series]
    verdicts = series in (Series.SCORE, Series.CORRECTED)
    dimensions = _DIMENSIONS | (_OF_VERDICTS if verdicts else _OF_OUTCOMES)
    answers = _GROUPS(
        "answers_of_series",
        figure=figure,
        measured=measured,
        labels=_LABELS if series is Series.CORRECTED else "",
        values=", ".join(dimensions.values()),
        notes="e.misquoted_notes" if verdicts else "NULL::int[]",
    )
    return groups(answers, dimensions, "misquoted_note").encode()


# For SQLAlchemy.
TIME_ZONE = _SQL("time_zone")
LIST_ALARMS = _SQL("list_alarms")
ACKNOWLEDGE = _SQL("acknowledge")
WATCHED = _SQL("watched")
