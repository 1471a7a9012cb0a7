"""Webhooks, their secrets, the outbox of deliveries, and what they were alerted of."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

from migrations.functions import create_function
from migrations.row_security import APP_ROLE, protect, unprotect

revision: str = "0027"
down_revision: str | None = "0026"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None

TABLES = ("webhooks", "webhook_secrets", "webhook_deliveries", "webhook_alerts")
FUNCTIONS = ("webhook_delivery_id", "deliver_verdict_event", "deliver_judge_event")

# Nothing is called for the events of verdicts that go on.
_ON_VERDICT = """
CREATE TRIGGER deliver_verdict_event AFTER INSERT ON verdict_events
FOR EACH ROW WHEN (NEW.status IN ('succeeded', 'failed') AND NEW.refinement_id IS NULL)
EXECUTE FUNCTION deliver_verdict_event()
"""
_ON_PAUSE = """
CREATE TRIGGER deliver_judge_event AFTER INSERT OR DELETE ON judge_pauses
FOR EACH ROW EXECUTE FUNCTION deliver_judge_event()
"""


def upgrade() -> None:
    _create_webhooks()
    _create_secrets()
    _create_deliveries()
    _create_alerts()
    protect(*TABLES)
    # The API makes secrets, and never has to read one.
    op.execute(f"REVOKE SELECT ON webhook_secrets FROM {APP_ROLE}")
    op.execute(
        "GRANT SELECT (id, created_at, workspace_id, webhook_id, expires_at)"
        f" ON webhook_secrets TO {APP_ROLE}"
    )
    for function in FUNCTIONS:
        op.execute(create_function(function))
    op.execute(_ON_VERDICT)
    op.execute(_ON_PAUSE)


def downgrade() -> None:
    op.execute("DROP TRIGGER deliver_judge_event ON judge_pauses")
    op.execute("DROP TRIGGER deliver_verdict_event ON verdict_events")
    for function in reversed(FUNCTIONS):
        op.execute(f"DROP FUNCTION {function}")
    op.execute(
        f"REVOKE ALL (id, created_at, workspace_id, webhook_id, expires_at)"
        f" ON webhook_secrets FROM {APP_ROLE}"
    )
    for table in reversed(TABLES):
        unprotect(table)
        op.drop_table(table)


def _now(name: str) -> sa.Column[object]:
    return sa.Column(
        name, sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False
    )


def _later(name: str) -> sa.Column[object]:
    return sa.Column(name, sa.DateTime(timezone=True), nullable=True)


def _of_webhook(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        ["webhook_id"],
        ["webhooks.id"],
        name=op.f(f"fk_{table}_webhook_id_webhooks"),
        ondelete="CASCADE",
    )


def _create_webhooks() -> None:
    op.create_table(
        "webhooks",
        _now("updated_at"),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("format", sa.String(16), nullable=False),
        sa.Column("lang", sa.String(2), nullable=False),
        sa.Column("events", sa.ARRAY(sa.Text()), nullable=False),
        sa.Column("confidences", sa.ARRAY(sa.Text())),
        sa.Column("judges", sa.ARRAY(sa.Text())),
        sa.Column("notebook_ids", sa.ARRAY(sa.Uuid())),
        sa.Column("features", sa.ARRAY(sa.Text())),
        sa.Column("include_content", sa.Boolean(), nullable=False),
        sa.Column("backlog_minutes", sa.Integer(), nullable=False),
        sa.Column("thresholds", postgresql.JSONB(), nullable=False),
        sa.Column("enabled", sa.Boolean(), nullable=False),
        sa.Column("disabled_reason", sa.String(16)),
        _later("disabled_at"),
        _later("failing_since"),
        _later("delivered_at"),
        sa.Column("last_error", sa.Text()),
        sa.Column("id", sa.Uuid(), nullable=False),
        _now("created_at"),
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        sa.CheckConstraint(
            "backlog_minutes BETWEEN 1 AND 10080", name=op.f("ck_webhooks_backlog_minutes")
        ),
        sa.CheckConstraint(
            "disabled_reason IN ('gone', 'failing')",
            name=op.f("ck_webhooks_disabled_reason_known"),
        ),
        sa.CheckConstraint(
            "NOT (enabled AND disabled_reason IS NOT NULL)",
            name=op.f("ck_webhooks_enabled_or_why_not"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspaces.id"],
            name=op.f("fk_webhooks_workspace_id_workspaces"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_webhooks")),
    )
    op.create_index(op.f("ix_webhooks_workspace_id_id"), "webhooks", ["workspace_id", "id"])


def _create_secrets() -> None:
    op.create_table(
        "webhook_secrets",
        sa.Column("webhook_id", sa.Uuid(), nullable=False),
        sa.Column("secret", sa.Text(), nullable=False),
        _later("expires_at"),
        sa.Column("id", sa.Uuid(), nullable=False),
        _now("created_at"),
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        _of_webhook("webhook_secrets"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_webhook_secrets")),
    )
    op.create_index(op.f("ix_webhook_secrets_webhook_id"), "webhook_secrets", ["webhook_id"])


def _create_deliveries() -> None:
    name = "webhook_deliveries"
    op.create_table(
        name,
        sa.Column("webhook_id", sa.Uuid(), nullable=False),
        sa.Column("event", sa.String(32), nullable=False),
        sa.Column("evaluation_id", sa.Uuid()),
        sa.Column("data", postgresql.JSONB(), nullable=False),
        sa.Column("status", sa.String(16), server_default=sa.text("'pending'"), nullable=False),
        sa.Column("attempt", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("tries", sa.Integer(), server_default=sa.text("0"), nullable=False),
        _now("run_at"),
        _later("lease_until"),
        _later("finished_at"),
        sa.Column("log", postgresql.JSONB(), server_default=sa.text("'[]'"), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        _now("created_at"),
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        sa.CheckConstraint(
            "status IN ('pending', 'delivered', 'failed')", name=op.f(f"ck_{name}_status_known")
        ),
        _of_webhook(name),
        sa.ForeignKeyConstraint(
            ["evaluation_id"],
            ["qa_evaluations.id"],
            name=op.f(f"fk_{name}_evaluation_id_qa_evaluations"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f(f"pk_{name}")),
    )
    op.create_index(
        f"ix_{name}_due",
        name,
        ["webhook_id", "run_at"],
        postgresql_where=sa.text("status = 'pending'"),
    )
    op.create_index(op.f(f"ix_{name}_webhook_id_id"), name, ["webhook_id", "id"])
    op.create_index(
        f"ix_{name}_evaluation_id",
        name,
        ["evaluation_id"],
        postgresql_where=sa.text("evaluation_id IS NOT NULL"),
    )
    op.create_index(op.f(f"ix_{name}_created_at"), name, ["created_at"])


def _create_alerts() -> None:
    op.create_table(
        "webhook_alerts",
        sa.Column("webhook_id", sa.Uuid(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        _now("created_at"),
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        _of_webhook("webhook_alerts"),
        sa.PrimaryKeyConstraint("webhook_id", "key", name=op.f("pk_webhook_alerts")),
    )
