"""Background jobs."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

from migrations.row_security import protect, unprotect

revision: str = "0004"
down_revision: str | None = "0003"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None

_STATUSES = "'queued', 'running', 'retrying', 'succeeded', 'failed', 'cancelled'"


def _time(name: str, *, now: bool = False) -> sa.Column[object]:
    default = sa.text("now()") if now else None
    return sa.Column(name, sa.DateTime(timezone=True), server_default=default, nullable=not now)


def _count(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.Integer(), server_default=sa.text("0"), nullable=False)


def upgrade() -> None:
    op.create_table(
        "jobs",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        sa.Column("kind", sa.String(length=50), nullable=False),
        sa.Column("payload", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("dedupe_key", sa.Text(), nullable=True),
        sa.Column("status", sa.String(length=16), server_default="queued", nullable=False),
        _count("attempt"),
        _count("tries"),
        _count("crashes"),
        _time("run_at", now=True),
        _time("enqueued_at"),
        _time("lease_until"),
        _time("started_at"),
        _time("finished_at"),
        _count("done"),
        sa.Column("total", sa.Integer(), nullable=True),
        sa.Column("error", sa.Text(), nullable=True),
        _time("created_at", now=True),
        sa.CheckConstraint(f"status IN ({_STATUSES})", name=op.f("ck_jobs_status_known")),
        sa.CheckConstraint(
            "status <> 'failed' OR error IS NOT NULL", name=op.f("ck_jobs_failed_has_error")
        ),
        sa.CheckConstraint(
            "status <> 'running' OR lease_until IS NOT NULL",
            name=op.f("ck_jobs_running_has_lease"),
        ),
        sa.CheckConstraint("done >= 0 AND total >= 0", name=op.f("ck_jobs_progress_not_negative")),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspaces.id"],
            name=op.f("fk_jobs_workspace_id_workspaces"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_jobs")),
    )
    op.create_index(
        "ix_jobs_due",
        "jobs",
        ["run_at"],
        postgresql_where=sa.text("status IN ('queued', 'retrying')"),
    )
    op.create_index(
        "ix_jobs_leases",
        "jobs",
        ["lease_until"],
        postgresql_where=sa.text("status = 'running'"),
    )
    op.create_index(op.f("ix_jobs_workspace_id_id"), "jobs", ["workspace_id", "id"])
    op.create_index(
        "uq_jobs_unfinished",
        "jobs",
        ["workspace_id", "kind", "dedupe_key"],
        unique=True,
        postgresql_where=sa.text(
            "dedupe_key IS NOT NULL AND status IN ('queued', 'running', 'retrying')"
        ),
    )
    protect("jobs")


def downgrade() -> None:
    unprotect("jobs")
    op.drop_table("jobs")
