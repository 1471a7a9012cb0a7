"""A circuit breaker for judges that fail, and suspicion that is shared by what died together.

`judge_failures` holds the last failed tries of each judge since it last served. A pause says
whether people have to mend the judge or it is probed until it serves. `crash_suspects` says which
rows a worker held when it died, `worker_id` which worker holds a row. Calls of attempts up to
`calls_counted_after` belong to an earlier judgement.
"""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

from migrations.row_security import protect, unprotect

revision: str = "0018"
down_revision: str | None = "0017"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None

_WAITING = "status IN ('queued', 'retrying')"
_PASSED_OVER = f"{_WAITING} AND reason IN ('probe', 'fallback', 'rules_fallback')"
_TIME = sa.DateTime(timezone=True)


def upgrade() -> None:
    # Constant defaults, so that no table is rewritten; the index holds few of the waiting rows.
    op.add_column("qa_evaluations", sa.Column("worker_id", sa.Uuid()))
    op.add_column(
        "qa_evaluations",
        sa.Column("calls_counted_after", sa.Integer(), server_default="0", nullable=False),
    )
    op.add_column(
        "judge_pauses",
        sa.Column("kind", sa.String(16), server_default="configuration", nullable=False),
    )
    op.create_check_constraint(
        op.f("ck_judge_pauses_kind_known"), "judge_pauses", "kind IN ('configuration', 'failing')"
    )
    op.add_column("judge_pauses", sa.Column("probe_seconds", sa.Float()))
    op.add_column("judge_pauses", sa.Column("probe_id", sa.Uuid()))
    op.add_column("judge_pauses", sa.Column("probe_attempt", sa.Integer()))
    op.create_table(
        "judge_failures",
        sa.Column("judge_model", sa.Text(), nullable=False),
        sa.Column("failed_at", postgresql.ARRAY(_TIME), nullable=False),
        sa.PrimaryKeyConstraint("judge_model", name=op.f("pk_judge_failures")),
    )
    op.create_table(
        "crash_suspects",
        sa.Column("worker_id", sa.Uuid(), nullable=False),
        sa.Column("evaluation_id", sa.Uuid(), nullable=False),
        sa.Column("share", sa.Float(), nullable=False),
        sa.Column("died_at", _TIME, server_default=sa.text("now()"), nullable=False),
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        sa.ForeignKeyConstraint(
            ["evaluation_id"],
            ["qa_evaluations.id"],
            name=op.f("fk_crash_suspects_evaluation_id_qa_evaluations"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("worker_id", "evaluation_id", name=op.f("pk_crash_suspects")),
    )
    op.create_index(op.f("ix_crash_suspects_evaluation_id"), "crash_suspects", ["evaluation_id"])
    protect("crash_suspects")
    op.drop_index("ix_qa_evaluations_probes", table_name="qa_evaluations")
    op.create_index(
        "ix_qa_evaluations_passed_over",
        "qa_evaluations",
        ["reason", "judge_model", "queue"],
        postgresql_where=_PASSED_OVER,
    )


def downgrade() -> None:
    op.create_index(
        "ix_qa_evaluations_probes",
        "qa_evaluations",
        ["queue"],
        postgresql_where=f"{_WAITING} AND reason = 'probe'",
    )
    op.drop_index("ix_qa_evaluations_passed_over", table_name="qa_evaluations")
    unprotect("crash_suspects")
    op.drop_table("crash_suspects")
    op.drop_table("judge_failures")
    op.execute("DELETE FROM judge_pauses WHERE kind = 'failing'")
    for column in ("probe_attempt", "probe_id", "probe_seconds", "kind"):
        op.drop_column("judge_pauses", column)
    for column in ("calls_counted_after", "worker_id"):
        op.drop_column("qa_evaluations", column)
