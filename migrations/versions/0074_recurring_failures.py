"""Doubted answers in groups that recur, with an owner and a state, and alarms when one comes
back."""

import datetime as dt
from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

from app.verdicts.models.evaluations import Xid8
from migrations.functions import create_function
from migrations.row_security import protect, unprotect

revision: str = "0074"
down_revision: str | None = "0073"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None

_GROUPS, _ANSWERS, _CURSORS = (
    "recurring_failures",
    "recurring_failure_answers",
    "recurring_failure_cursors",
)
_EVENTS = ("failure.opened", "failure.reopened")
_TRIGGER = f"""
CREATE TRIGGER deliver_failure_event AFTER UPDATE OF alarmed_at, reopened_at ON {_GROUPS}
FOR EACH ROW WHEN (NEW.alarmed_at <> COALESCE(OLD.alarmed_at, '-infinity')
    OR NEW.reopened_at <> COALESCE(OLD.reopened_at, '-infinity'))
EXECUTE FUNCTION deliver_failure_event()
"""
_VIEW = f"""
CREATE VIEW analytics.recurring_failures AS
SELECT f.workspace_id, f.id AS failure_id, f.name, f.fault, f.note_id, f.note_title, f.state,
    f.owner, f.mended_in, f.mended_at, f.reopened_in, f.reopened_at, f.first_seen_at,
    m.evaluation_id, m.claim_position, m.answered_at
FROM {_GROUPS} f
JOIN {_ANSWERS} m ON m.failure_id = f.id AND m.workspace_id = f.workspace_id
JOIN qa_evaluations e ON e.id = m.evaluation_id AND e.workspace_id = m.workspace_id
WHERE e.is_current AND e.status = 'succeeded' AND NOT e.degraded
    AND NOT EXISTS (SELECT FROM qa_feedback l WHERE l.answer_id = e.answer_id
        AND l.workspace_id = e.workspace_id AND l.label = 'right'
        AND (l.claim_position IS NULL
            OR l.evaluation_id = e.id AND l.claim_position = m.claim_position))
"""
_MEANINGS = {
    "workspace_id": "Workspace.",
    "failure_id": "Key of the group; GET /failures/{id} shows it.",
    "name": "Commonest words of its statements.",
    "fault": "What is wrong: contradicted, not_in_notes, misattributed or stitched; of older"
    " verdicts unsupported or partly; falsely_refused or whole_answer without such a statement.",
    "note_id": "The note that the statements are about; NULL when it is not ours or unknown.",
    "note_title": "Its title, as it was given to the model; NULL when unknown.",
    "state": "open, mended or ignored.",
    "owner": "Who takes care of it.",
    "mended_in": "Release that mended it.",
    "mended_at": "When it was said to be mended.",
    "reopened_in": "Release in which it came back after that.",
    "reopened_at": "When that was noticed.",
    "first_seen_at": "Its first answer, kept or not.",
    "evaluation_id": "The verdict of one of its answers that nobody found right, as in verdicts.",
    "claim_position": "The doubted statement, as in claims; NULL of the whole answer.",
    "answered_at": "When the answer was finished.",
}


def upgrade() -> None:
    _create_tables()
    protect(_GROUPS, _ANSWERS, _CURSORS)
    op.execute(create_function("deliver_failure_event"))
    op.execute(_TRIGGER)
    for table in (_GROUPS, _ANSWERS):
        op.execute(f"GRANT SELECT ON {table} TO searchqa_views")
        op.execute(
            f"CREATE POLICY analytics ON {table} FOR SELECT TO searchqa_views"
            " USING (workspace_id = ANY (ARRAY(SELECT analytics.visible_workspaces())))"
        )
    # Giving views away takes the right to make them there, as in migration 0012.
    op.execute("GRANT CREATE ON SCHEMA analytics TO searchqa_views")
    op.execute(_VIEW)
    op.execute(
        "COMMENT ON VIEW analytics.recurring_failures IS 'Version 1. One row for each doubted"
        " answer of each group that it belongs to, unless a person found it right.'"
    )
    for column, meaning in _MEANINGS.items():
        op.execute(f"COMMENT ON COLUMN analytics.recurring_failures.{column} IS '{meaning}'")
    op.execute("GRANT SELECT ON analytics.recurring_failures TO searchqa_analyst, searchqa_app")
    op.execute("ALTER VIEW analytics.recurring_failures OWNER TO searchqa_views")
    op.execute("REVOKE CREATE ON SCHEMA analytics FROM searchqa_views")


def downgrade() -> None:
    op.execute("DROP VIEW analytics.recurring_failures")
    op.execute(f"DROP TRIGGER deliver_failure_event ON {_GROUPS}")
    op.execute("DROP FUNCTION deliver_failure_event")
    # What waits to be delivered is an event that is not known any more.
    for event in _EVENTS:
        op.execute(f"DELETE FROM webhook_deliveries WHERE event = '{event}'")
        op.execute(f"UPDATE webhooks SET events = array_remove(events, '{event}')")
    for table in (_GROUPS, _ANSWERS):
        op.execute(f"DROP POLICY analytics ON {table}")
        op.execute(f"REVOKE ALL ON {table} FROM searchqa_views")
    unprotect(_GROUPS, _ANSWERS, _CURSORS)
    for table in (_CURSORS, _ANSWERS, _GROUPS):
        op.drop_table(table)


def _create_tables() -> None:
    op.create_table(
        _GROUPS,
        sa.Column("signature", sa.String(64), nullable=False),
        sa.Column("fault", sa.String(16), nullable=False),
        sa.Column("note_id", sa.Uuid()),
        sa.Column("note_title", sa.Text()),
        sa.Column("terms", sa.ARRAY(sa.Text()), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        _time("first_seen_at"),
        _time("last_seen_at"),
        sa.Column("state", sa.String(8), server_default="open", nullable=False),
        sa.Column("owner", sa.Text()),
        sa.Column("mended_in", sa.Text()),
        _time("mended_at", nullable=True),
        sa.Column("reopened_in", sa.Text()),
        _time("reopened_at", nullable=True),
        _time("alarmed_at", nullable=True),
        _time("updated_at", server_default=sa.text("now()")),
        sa.Column("id", sa.Uuid(), nullable=False),
        _time("created_at", server_default=sa.text("now()")),
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        sa.CheckConstraint(
            "state IN ('open', 'mended', 'ignored')", name=op.f("ck_recurring_failures_state_known")
        ),
        sa.CheckConstraint(
            "state <> 'mended' OR mended_at IS NOT NULL", name=op.f("ck_recurring_failures_mended")
        ),
        sa.CheckConstraint(
            "char_length(owner) BETWEEN 1 AND 200", name=op.f("ck_recurring_failures_owner_length")
        ),
        _of_workspace(_GROUPS),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_recurring_failures")),
        sa.UniqueConstraint(
            *("workspace_id", "signature"),
            name=op.f("uq_recurring_failures_workspace_id_signature"),
        ),
    )
    op.create_table(
        _ANSWERS,
        sa.Column("evaluation_id", sa.Uuid(), nullable=False),
        sa.Column("failure_id", sa.Uuid(), nullable=False),
        sa.Column("claim_position", sa.Integer()),
        _time("answered_at"),
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        *(
            sa.ForeignKeyConstraint(
                *([column], [f"{table}.id"]),
                name=op.f(f"fk_{_ANSWERS}_{column}_{table}"),
                ondelete="CASCADE",
            )
            for column, table in (("evaluation_id", "qa_evaluations"), ("failure_id", _GROUPS))
        ),
        sa.PrimaryKeyConstraint("evaluation_id", "failure_id", name=op.f(f"pk_{_ANSWERS}")),
    )
    op.create_index(
        op.f(f"ix_{_ANSWERS}_failure_id_answered_at"), _ANSWERS, ["failure_id", "answered_at"]
    )
    op.create_index(
        op.f(f"ix_{_ANSWERS}_workspace_id_answered_at"), _ANSWERS, ["workspace_id", "answered_at"]
    )
    op.create_table(
        _CURSORS,
        sa.Column("xid", Xid8(), nullable=False),
        sa.Column("event_id", sa.BigInteger(), nullable=False),
        sa.Column("dropped", sa.Integer(), server_default=sa.text("0"), nullable=False),
        _time("began_at", server_default=sa.text("now()")),
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        _of_workspace(_CURSORS),
        sa.PrimaryKeyConstraint("workspace_id", name=op.f(f"pk_{_CURSORS}")),
    )


def _time(
    name: str, *, nullable: bool = False, server_default: sa.TextClause | None = None
) -> sa.Column[dt.datetime]:
    type_ = sa.DateTime(timezone=True)
    return sa.Column(name, type_, nullable=nullable, server_default=server_default)


def _of_workspace(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        ["workspace_id"],
        ["workspaces.id"],
        name=op.f(f"fk_{table}_workspace_id_workspaces"),
        ondelete="CASCADE",
    )
