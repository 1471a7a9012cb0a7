"""The four phases of feedback with their claims, and the improvement of answers."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

from migrations.functions import create_function
from migrations.row_security import protect, unprotect

revision: str = "0005"
down_revision: str | None = "0004"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None

TABLES = ("qa_claims", "refinements", "refinement_iterations")

_ON_CHANGE = """
CREATE TRIGGER tell_of_refinement AFTER UPDATE OF status ON jobs
FOR EACH ROW WHEN (NEW.kind = 'refine' AND NEW.status IS DISTINCT FROM OLD.status)
EXECUTE FUNCTION tell_of_refinement()
"""

_ON_DELETE = """
CREATE TRIGGER forget_job_of_refinement AFTER DELETE ON refinements
FOR EACH ROW EXECUTE FUNCTION forget_job_of_refinement()
"""


def upgrade() -> None:
    _widen_tables()
    _create_claims()
    _create_refinements()
    protect(*TABLES)
    op.execute(create_function("tell_of_refinement"))
    op.execute(_ON_CHANGE)
    op.execute(create_function("forget_job_of_refinement"))
    op.execute(_ON_DELETE)


def downgrade() -> None:
    op.execute("DROP TRIGGER forget_job_of_refinement ON refinements")
    op.execute("DROP FUNCTION forget_job_of_refinement")
    op.execute("DROP TRIGGER tell_of_refinement ON jobs")
    op.execute("DROP FUNCTION tell_of_refinement")
    op.execute("DELETE FROM verdict_events WHERE refinement_id IS NOT NULL")
    unprotect(*TABLES)
    op.drop_table("refinement_iterations")
    op.drop_index(op.f("ix_refinements_evaluation_id"), table_name="refinements")
    op.drop_table("refinements")
    op.drop_table("qa_claims")
    op.drop_column("verdict_events", "refinement_id")
    op.drop_column("qa_evaluations", "auto_refine")
    op.drop_index(op.f("ix_qa_answers_notebook_id"), table_name="qa_answers")
    for column in ("notebook_id", "slots", "profile"):
        op.drop_column("qa_answers", column)


def _widen_tables() -> None:
    op.add_column("qa_answers", sa.Column("profile", sa.Text(), nullable=True))
    op.add_column("qa_answers", sa.Column("slots", postgresql.JSONB(), nullable=True))
    op.add_column("qa_answers", sa.Column("notebook_id", sa.Uuid(), nullable=True))
    op.create_foreign_key(
        op.f("fk_qa_answers_notebook_id_notebooks"),
        "qa_answers",
        "notebooks",
        ["notebook_id"],
        ["id"],
        ondelete="SET NULL",
    )
    op.create_index(op.f("ix_qa_answers_notebook_id"), "qa_answers", ["notebook_id"])
    op.add_column(
        "qa_evaluations",
        sa.Column("auto_refine", sa.Boolean(), server_default=sa.text("false"), nullable=False),
    )
    op.add_column("verdict_events", sa.Column("refinement_id", sa.Uuid(), nullable=True))


def _create_claims() -> None:
    op.create_table(
        "qa_claims",
        sa.Column("evaluation_id", sa.Uuid(), nullable=False),
        sa.Column("position", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("claim", sa.Text(), nullable=False),
        sa.Column("verdict", sa.String(length=16), nullable=False),
        sa.Column("note_index", sa.Integer(), nullable=True),
        sa.Column("quote", sa.Text(), nullable=False),
        sa.Column("quote_found", sa.Boolean(), nullable=True),
        sa.Column("start_char", sa.Integer(), nullable=True),
        sa.Column("end_char", sa.Integer(), nullable=True),
        sa.Column("reasoning", sa.Text(), nullable=False),
        sa.Column("source", sa.String(length=8), nullable=False),
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        sa.CheckConstraint(
            "verdict IN ('supported', 'partly', 'unsupported')",
            name=op.f("ck_qa_claims_verdict_known"),
        ),
        sa.CheckConstraint(
            "start_char >= 0 AND end_char > start_char", name=op.f("ck_qa_claims_span")
        ),
        sa.ForeignKeyConstraint(
            ["evaluation_id"],
            ["qa_evaluations.id"],
            name=op.f("fk_qa_claims_evaluation_id_qa_evaluations"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("evaluation_id", "position", name=op.f("pk_qa_claims")),
    )


def _create_refinements() -> None:
    op.create_table(
        "refinements",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("evaluation_id", sa.Uuid(), nullable=False),
        sa.Column("threshold", sa.Double(), nullable=False),
        sa.Column("max_iterations", sa.Integer(), nullable=False),
        sa.Column("automatic", sa.Boolean(), nullable=False),
        sa.Column("stop_reason", sa.String(length=32), nullable=True),
        sa.Column("best_iteration", sa.Integer(), nullable=True),
        sa.Column("lift", sa.Double(), nullable=True),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        sa.ForeignKeyConstraint(
            ["evaluation_id"],
            ["qa_evaluations.id"],
            name=op.f("fk_refinements_evaluation_id_qa_evaluations"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_refinements")),
    )
    op.create_index(op.f("ix_refinements_evaluation_id"), "refinements", ["evaluation_id"])
    op.create_table(
        "refinement_iterations",
        sa.Column("refinement_id", sa.Uuid(), nullable=False),
        sa.Column("position", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("query", sa.Text(), nullable=False),
        sa.Column("rewritten_by", sa.String(length=16), nullable=True),
        sa.Column("documents", postgresql.JSONB(), nullable=True),
        sa.Column("answer", sa.Text(), nullable=True),
        sa.Column("grounding", sa.Double(), nullable=True),
        sa.Column("completeness", sa.Double(), nullable=True),
        sa.Column("accuracy", sa.Double(), nullable=True),
        sa.Column("overall_score", sa.Double(), nullable=True),
        sa.Column("missing_info", postgresql.JSONB(), nullable=True),
        sa.Column("improvement_suggestions", postgresql.JSONB(), nullable=True),
        sa.Column("needs_retrieval", sa.Boolean(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("heuristic", sa.Boolean(), nullable=True),
        sa.Column("prompt_tokens", sa.Integer(), nullable=True),
        sa.Column("completion_tokens", sa.Integer(), nullable=True),
        sa.Column("cost_usd", sa.Numeric(precision=12, scale=8), nullable=True),
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        sa.CheckConstraint(
            "overall_score >= 0 AND overall_score <= 1",
            name=op.f("ck_refinement_iterations_overall_unit_interval"),
        ),
        sa.ForeignKeyConstraint(
            ["refinement_id"],
            ["refinements.id"],
            name=op.f("fk_refinement_iterations_refinement_id_refinements"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("refinement_id", "position", name=op.f("pk_refinement_iterations")),
    )
