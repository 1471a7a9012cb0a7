"""Quality watched day by day, and alarms when it has changed."""

from collections.abc import Mapping, Sequence

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

from migrations.functions import create_function
from migrations.row_security import protect, unprotect

revision: str = "0034"
down_revision: str | None = "0033"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None

_TABLES = ("quality_watches", "quality_points", "quality_alarms")
_SEEN = ("quality_points", "quality_alarms")
_KNOWN = "series IN ('score', 'corrected', 'coverage', 'unjudged')"

_ALARM = """
CREATE TRIGGER deliver_quality_event AFTER INSERT ON quality_alarms
FOR EACH ROW EXECUTE FUNCTION deliver_quality_event()
"""

_SERIES = {
    "workspace_id": "Workspace of the answers.",
    "judge_model": "Judge that was asked.",
    "series": "score: mean correctness. corrected: the same, by the labels of drawn answers and the"
    " judge. coverage: share of the answers given to the judge that it scored itself. unjudged:"
    " share of all answers that were skipped or failed.",
}
_ALARM_COLUMNS = _SERIES | {
    "alarm_id": "Key of the row; GET /analytics/alarms lists them.",
    "compared_from": "First day of those that the change is compared with.",
    "began_on": "Estimated first day after the change.",
    "noticed_on": "The day that gave the alarm.",
    "before": "Mean of the series before, 0 to 1.",
    "after": "Mean of the series since, 0 to 1.",
    "answers_before": "Answers, of corrected labels, of the mean before.",
    "answers_after": "Answers, of corrected labels, of the mean since.",
    "causes": "What differs most, as JSON; an empty list where nothing in particular does.",
    "acknowledged_at": "When somebody acknowledged it.",
    "created_at": "When it was stored.",
}
_POINT_COLUMNS = _SERIES | {
    "first_day": "First day of the point, in the time zone of the workspace.",
    "last_day": "Its last day; another one where days with few answers were joined.",
    "answers": "Answers, of corrected labels.",
    "value": "Their mean, 0 to 1, as it was when the day was looked at.",
    "spread": "Variance of a single answer.",
    "score": "Rank among the points before as a normal quantile; 0 while the series is learned,"
    " NULL until there are enough answers.",
}
_ALARMS = """
SELECT workspace_id, judge_model, series, id AS alarm_id, compared_from, began_on, noticed_on,
    before, after, answers_before, answers_after, causes, acknowledged_at, created_at
FROM quality_alarms
"""
_POINTS = """
SELECT workspace_id, judge_model, series, first_day, last_day, answers, value, spread, score
FROM quality_points
"""
_ABOUT_POINTS = (
    "One row for each point of the series that the monitor watches: a day, or some days with few"
    " answers together."
)
_VIEWS: Mapping[str, tuple[str, Mapping[str, str], str]] = {
    "quality_alarms": (
        "One row for each change of quality that the monitor noticed.",
        _ALARM_COLUMNS,
        _ALARMS,
    ),
    "quality_points": (_ABOUT_POINTS, _POINT_COLUMNS, _POINTS),
}


def upgrade() -> None:
    _create_tables()
    protect(*_TABLES)
    op.execute(create_function("deliver_quality_event"))
    op.execute(_ALARM)
    for table in _SEEN:
        op.execute(f"GRANT SELECT ON {table} TO searchqa_views")
        op.execute(
            f"CREATE POLICY analytics ON {table} FOR SELECT TO searchqa_views"
            " USING (workspace_id = ANY (ARRAY(SELECT analytics.visible_workspaces())))"
        )
    # Giving a view away takes the right to make one there, as in migration 0012.
    op.execute("GRANT CREATE ON SCHEMA analytics TO searchqa_views")
    for name, view in _VIEWS.items():
        _create_view(f"analytics.{name}", *view)
    op.execute("REVOKE CREATE ON SCHEMA analytics FROM searchqa_views")


def downgrade() -> None:
    for name in _VIEWS:
        op.execute(f"DROP VIEW analytics.{name}")
    op.execute("DROP TRIGGER deliver_quality_event ON quality_alarms")
    op.execute("DROP FUNCTION deliver_quality_event")
    # What waits to be delivered is an event that is not known any more.
    op.execute("DELETE FROM webhook_deliveries WHERE event = 'quality.changed'")
    op.execute("UPDATE webhooks SET events = array_remove(events, 'quality.changed')")
    for table in _SEEN:
        op.execute(f"DROP POLICY analytics ON {table}")
        op.execute(f"REVOKE ALL ON {table} FROM searchqa_views")
    unprotect(*_TABLES)
    for table in reversed(_TABLES):
        op.drop_table(table)


def _create_tables() -> None:
    op.create_table(
        "quality_watches",
        sa.Column("next_day", sa.Date(), nullable=False),
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        _of_workspace("quality_watches"),
        sa.PrimaryKeyConstraint("workspace_id", name=op.f("pk_quality_watches")),
    )
    key = ("workspace_id", "judge_model", "series", "first_day")
    op.create_table(
        "quality_points",
        sa.Column("judge_model", sa.Text(), nullable=False),
        sa.Column("series", sa.String(16), nullable=False),
        sa.Column("first_day", sa.Date(), nullable=False),
        sa.Column("last_day", sa.Date(), nullable=False),
        sa.Column("answers", sa.Integer(), nullable=False),
        sa.Column("value", sa.Float(), nullable=False),
        sa.Column("spread", sa.Float(), nullable=False),
        sa.Column("score", sa.Float()),
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        sa.CheckConstraint(_KNOWN, name=op.f("ck_quality_points_series_known")),
        sa.CheckConstraint("first_day <= last_day", name=op.f("ck_quality_points_days_in_order")),
        sa.CheckConstraint("answers > 0", name=op.f("ck_quality_points_has_answers")),
        _of_workspace("quality_points"),
        sa.PrimaryKeyConstraint(*key, name=op.f("pk_quality_points")),
    )
    op.create_table(
        "quality_alarms",
        sa.Column("judge_model", sa.Text(), nullable=False),
        sa.Column("series", sa.String(16), nullable=False),
        sa.Column("compared_from", sa.Date(), nullable=False),
        sa.Column("began_on", sa.Date(), nullable=False),
        sa.Column("noticed_on", sa.Date(), nullable=False),
        sa.Column("before", sa.Float(), nullable=False),
        sa.Column("after", sa.Float(), nullable=False),
        sa.Column("answers_before", sa.Integer(), nullable=False),
        sa.Column("answers_after", sa.Integer(), nullable=False),
        sa.Column("causes", postgresql.JSONB(), nullable=False),
        sa.Column("acknowledged_at", sa.DateTime(timezone=True)),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column(
            *("created_at", sa.DateTime(timezone=True)),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        sa.CheckConstraint(_KNOWN, name=op.f("ck_quality_alarms_series_known")),
        sa.CheckConstraint(
            "compared_from < began_on AND began_on <= noticed_on",
            name=op.f("ck_quality_alarms_days_in_order"),
        ),
        _of_workspace("quality_alarms"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_quality_alarms")),
        sa.UniqueConstraint(
            *("workspace_id", "judge_model", "series", "noticed_on"),
            name=op.f("uq_quality_alarms_workspace_id_judge_model_series_noticed_on"),
        ),
    )


def _of_workspace(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        ["workspace_id"],
        ["workspaces.id"],
        name=op.f(f"fk_{table}_workspace_id_workspaces"),
        ondelete="CASCADE",
    )


def _create_view(name: str, comment: str, columns: Mapping[str, str], query: str) -> None:
    op.execute(f"CREATE VIEW {name} AS {query}")
    op.execute(f"COMMENT ON VIEW {name} IS 'Version 1. {comment}'")
    for column, meaning in columns.items():
        op.execute(f"COMMENT ON COLUMN {name}.{column} IS '{meaning}'")
    op.execute(f"GRANT SELECT ON {name} TO searchqa_analyst, searchqa_app")
    op.execute(f"ALTER VIEW {name} OWNER TO searchqa_views")
