"""Successions of judges, and the trials that compare an old judge with a new one."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

from migrations.row_security import protect, unprotect

revision: str = "0069"
down_revision: str | None = "0068"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None

_TABLE, _TRIALS = "judge_successions", "judge_trials"


def _time(name: str, **options: object) -> sa.Column[object]:
    return sa.Column(name, sa.DateTime(timezone=True), **options)


def upgrade() -> None:
    op.create_table(
        _TABLE,
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        sa.Column("old_model", sa.Text(), nullable=False),
        sa.Column("new_model", sa.Text(), nullable=False),
        sa.Column("seed", sa.Integer(), nullable=False),
        sa.Column("max_cost_usd", sa.Numeric(14, 8)),
        sa.Column("made_by", sa.Text(), nullable=False),
        sa.Column("status", sa.String(16), server_default="pending", nullable=False),
        sa.Column("summary", postgresql.JSONB()),
        sa.Column("error_message", sa.Text()),
        sa.Column("before", postgresql.JSONB()),
        sa.Column("forced", sa.Boolean(), server_default=sa.false(), nullable=False),
        _time("switched_at"),
        _time("undone_at"),
        _time("created_at", server_default=sa.func.now(), nullable=False),
        _time("updated_at", server_default=sa.func.now(), nullable=False),
        _time("finished_at"),
        sa.CheckConstraint(
            "status IN ('pending', 'running', 'completed', 'failed', 'cancelled')",
            name=op.f("ck_judge_successions_status_known"),
        ),
        sa.CheckConstraint(
            "(switched_at IS NULL) = (before IS NULL)",
            name=op.f("ck_judge_successions_before_switch"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspaces.id"],
            name=op.f("fk_judge_successions_workspace_id_workspaces"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_judge_successions")),
    )
    op.create_index(op.f("ix_judge_successions_workspace_id_id"), _TABLE, ["workspace_id", "id"])
    protect(_TABLE)
    op.add_column(_TRIALS, sa.Column("succession_id", sa.Uuid()))
    op.add_column(_TRIALS, sa.Column("position", sa.Integer()))
    # contract: trials are few, people make them one by one; the new column is empty.
    op.create_foreign_key(
        op.f("fk_judge_trials_succession_id_judge_successions"),
        *(_TRIALS, _TABLE, ["succession_id"], ["id"]),
        ondelete="CASCADE",
    )
    # contract: a small table, see above.
    op.create_index(op.f("ix_judge_trials_succession_id"), _TRIALS, ["succession_id"])
    op.execute(f"""
        CREATE TRIGGER end_{_TABLE}_of_ended_part AFTER UPDATE OF status ON jobs
        FOR EACH ROW WHEN (NEW.kind = 'judge_succession' AND NEW.status IN ('failed', 'cancelled'))
        EXECUTE FUNCTION end_owner_of_ended_part('{_TABLE}', 'succession_id')
    """)


def downgrade() -> None:
    op.execute(f"DROP TRIGGER end_{_TABLE}_of_ended_part ON jobs")
    op.drop_column(_TRIALS, "position")
    op.drop_column(_TRIALS, "succession_id")
    unprotect(_TABLE)
    op.drop_table(_TABLE)
