"""The first tables: workspaces, notes, answers and the life of a verdict."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

from app.verdicts.models.evaluations import Xid8

revision: str = "0001"
down_revision: str | None = None
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None


def upgrade() -> None:
    op.create_table(
        "judge_pauses",
        sa.Column("judge_model", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column(
            "paused_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False
        ),
        sa.Column("probe_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("judge_model", name=op.f("pk_judge_pauses")),
    )
    op.create_table(
        "workspaces",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_workspaces")),
        sa.UniqueConstraint("name", name=op.f("uq_workspaces_name")),
    )
    op.create_table(
        "api_tokens",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("token_hash", sa.LargeBinary(length=32), nullable=False),
        sa.Column("scopes", sa.ARRAY(sa.Text()), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("last_used_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("revoked_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspaces.id"],
            name=op.f("fk_api_tokens_workspace_id_workspaces"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_api_tokens")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_api_tokens_token_hash")),
    )
    op.create_table(
        "notebooks",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspaces.id"],
            name=op.f("fk_notebooks_workspace_id_workspaces"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_notebooks")),
        sa.UniqueConstraint("workspace_id", "name", name=op.f("uq_notebooks_workspace_id_name")),
    )
    op.create_table(
        "qa_answers",
        sa.Column("question", sa.Text(), nullable=False),
        sa.Column("answer", sa.Text(), nullable=False),
        sa.Column("lang", sa.String(length=2), nullable=False),
        sa.Column("feature", sa.String(length=32), nullable=False),
        sa.Column("origin", sa.String(length=16), nullable=False),
        sa.Column("provider", sa.Text(), nullable=True),
        sa.Column("model", sa.Text(), nullable=True),
        sa.Column("search_method", sa.String(length=32), nullable=True),
        sa.Column("events", postgresql.JSONB(astext_type=sa.Text()), nullable=True),
        sa.Column("evidence", postgresql.JSONB(astext_type=sa.Text()), nullable=True),
        sa.Column("latency_ms", sa.Double(), nullable=True),
        sa.Column("prompt_tokens", sa.Integer(), nullable=True),
        sa.Column("completion_tokens", sa.Integer(), nullable=True),
        sa.Column("idempotency_key", sa.Text(), nullable=True),
        sa.Column("request_hash", sa.String(length=64), nullable=True),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspaces.id"],
            name=op.f("fk_qa_answers_workspace_id_workspaces"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_qa_answers")),
        sa.UniqueConstraint(
            "workspace_id",
            "idempotency_key",
            name=op.f("uq_qa_answers_workspace_id_idempotency_key"),
        ),
    )
    op.create_index(
        op.f("ix_qa_answers_workspace_id_created_at"),
        "qa_answers",
        ["workspace_id", "created_at"],
        unique=False,
    )
    op.create_table(
        "notes",
        sa.Column("notebook_id", sa.Uuid(), nullable=False),
        sa.Column("source_key", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("content_text", sa.Text(), nullable=False),
        sa.Column("content_hash", sa.String(length=64), nullable=False),
        sa.Column("lang", sa.String(length=2), nullable=False),
        sa.Column("category", sa.Text(), nullable=True),
        sa.Column("subcategory", sa.Text(), nullable=True),
        sa.Column("tags", sa.ARRAY(sa.Text()), nullable=False),
        sa.Column(
            "updated_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        sa.ForeignKeyConstraint(
            ["notebook_id"],
            ["notebooks.id"],
            name=op.f("fk_notes_notebook_id_notebooks"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_notes")),
        sa.UniqueConstraint(
            "notebook_id", "source_key", name=op.f("uq_notes_notebook_id_source_key")
        ),
    )
    op.create_table(
        "qa_evaluations",
        sa.Column("answer_id", sa.Uuid(), nullable=False),
        sa.Column("judge_key", sa.Text(), nullable=False),
        sa.Column("is_current", sa.Boolean(), server_default=sa.text("true"), nullable=False),
        sa.Column("evaluators", sa.ARRAY(sa.Text()), nullable=False),
        sa.Column("judge_model", sa.Text(), nullable=False),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("queue", sa.String(length=16), server_default="live", nullable=False),
        sa.Column("attempt", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("tries", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("crashes", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column(
            "run_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False
        ),
        sa.Column("enqueued_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("lease_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("correctness", sa.Double(), nullable=True),
        sa.Column("utility", sa.Double(), nullable=True),
        sa.Column("confidence", sa.String(length=8), nullable=True),
        sa.Column("summary", sa.Text(), nullable=True),
        sa.Column("grounding", sa.Double(), nullable=True),
        sa.Column("completeness", sa.Double(), nullable=True),
        sa.Column("accuracy", sa.Double(), nullable=True),
        sa.Column("overall_score", sa.Double(), nullable=True),
        sa.Column("needs_improvement", sa.Boolean(), nullable=True),
        sa.Column("degraded", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("provider", sa.Text(), nullable=True),
        sa.Column("model", sa.Text(), nullable=True),
        sa.Column("prompt_version", sa.Text(), nullable=True),
        sa.Column("prompt_tokens", sa.Integer(), nullable=True),
        sa.Column("completion_tokens", sa.Integer(), nullable=True),
        sa.Column("cost_usd", sa.Numeric(precision=12, scale=8), nullable=True),
        sa.Column("queue_ms", sa.Double(), nullable=True),
        sa.Column("judge_ms", sa.Double(), nullable=True),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        sa.CheckConstraint(
            "(correctness IS NULL AND utility IS NULL) OR status = 'succeeded'",
            name=op.f("ck_qa_evaluations_scores_only_when_succeeded"),
        ),
        sa.CheckConstraint(
            "queue IN ('live', 'bulk', 'isolated')", name=op.f("ck_qa_evaluations_queue_known")
        ),
        sa.CheckConstraint(
            "status <> 'failed' OR error IS NOT NULL",
            name=op.f("ck_qa_evaluations_failed_has_error"),
        ),
        sa.CheckConstraint(
            "status <> 'skipped' OR reason IS NOT NULL",
            name=op.f("ck_qa_evaluations_skipped_has_reason"),
        ),
        sa.CheckConstraint(
            "status IN ('queued', 'running', 'retrying', 'succeeded', 'failed', 'skipped')",
            name=op.f("ck_qa_evaluations_status_known"),
        ),
        sa.CheckConstraint(
            "accuracy >= 0 AND accuracy <= 1", name=op.f("ck_qa_evaluations_accuracy_unit_interval")
        ),
        sa.CheckConstraint(
            "completeness >= 0 AND completeness <= 1",
            name=op.f("ck_qa_evaluations_completeness_unit_interval"),
        ),
        sa.CheckConstraint(
            "correctness >= 0 AND correctness <= 1",
            name=op.f("ck_qa_evaluations_correctness_unit_interval"),
        ),
        sa.CheckConstraint(
            "grounding >= 0 AND grounding <= 1",
            name=op.f("ck_qa_evaluations_grounding_unit_interval"),
        ),
        sa.CheckConstraint(
            "overall_score >= 0 AND overall_score <= 1",
            name=op.f("ck_qa_evaluations_overall_score_unit_interval"),
        ),
        sa.CheckConstraint(
            "utility >= 0 AND utility <= 1", name=op.f("ck_qa_evaluations_utility_unit_interval")
        ),
        sa.ForeignKeyConstraint(
            ["answer_id"],
            ["qa_answers.id"],
            name=op.f("fk_qa_evaluations_answer_id_qa_answers"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_qa_evaluations")),
        sa.UniqueConstraint(
            "workspace_id",
            "answer_id",
            "judge_key",
            name=op.f("uq_qa_evaluations_workspace_id_answer_id_judge_key"),
        ),
    )
    op.create_index(
        "ix_qa_evaluations_due",
        "qa_evaluations",
        ["queue", "run_at"],
        unique=False,
        postgresql_where=sa.text("status IN ('queued', 'retrying')"),
    )
    op.create_index(
        "ix_qa_evaluations_leases",
        "qa_evaluations",
        ["run_at"],
        unique=False,
        postgresql_where=sa.text("status = 'running'"),
    )
    op.create_index(
        op.f("ix_qa_evaluations_workspace_id_created_at_id"),
        "qa_evaluations",
        ["workspace_id", "created_at", "id"],
        unique=False,
    )
    op.create_index(
        op.f("ix_qa_evaluations_workspace_id_status_created_at"),
        "qa_evaluations",
        ["workspace_id", "status", "created_at"],
        unique=False,
    )
    op.create_index(
        "uq_qa_evaluations_current",
        "qa_evaluations",
        ["answer_id"],
        unique=True,
        postgresql_where=sa.text("is_current"),
    )
    op.create_table(
        "judge_calls",
        sa.Column("evaluation_id", sa.Uuid(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("request_hash", sa.String(length=64), nullable=False),
        sa.Column("provider", sa.Text(), nullable=False),
        sa.Column("model", sa.Text(), nullable=False),
        sa.Column("content", sa.Text(), nullable=True),
        sa.Column("body", sa.Text(), nullable=True),
        sa.Column("prompt_tokens", sa.Integer(), nullable=True),
        sa.Column("completion_tokens", sa.Integer(), nullable=True),
        sa.Column("cost_usd", sa.Numeric(precision=12, scale=8), nullable=True),
        sa.Column("latency_ms", sa.Double(), nullable=True),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("discarded", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        sa.ForeignKeyConstraint(
            ["evaluation_id"],
            ["qa_evaluations.id"],
            name=op.f("fk_judge_calls_evaluation_id_qa_evaluations"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_judge_calls")),
    )
    op.create_index(
        op.f("ix_judge_calls_evaluation_id_request_hash"),
        "judge_calls",
        ["evaluation_id", "request_hash"],
        unique=False,
    )
    op.create_table(
        "note_chunks",
        sa.Column("note_id", sa.Uuid(), nullable=False),
        sa.Column("notebook_id", sa.Uuid(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("terms", postgresql.TSVECTOR(), nullable=False),
        sa.Column("length", sa.Integer(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        sa.ForeignKeyConstraint(
            ["note_id"], ["notes.id"], name=op.f("fk_note_chunks_note_id_notes"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["notebook_id"],
            ["notebooks.id"],
            name=op.f("fk_note_chunks_notebook_id_notebooks"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_note_chunks")),
        sa.UniqueConstraint("note_id", "position", name=op.f("uq_note_chunks_note_id_position")),
    )
    op.create_index(
        op.f("ix_note_chunks_terms"),
        "note_chunks",
        ["terms"],
        unique=False,
        postgresql_using="gin",
        postgresql_with={"fastupdate": "off"},
    )
    op.create_index(
        op.f("ix_note_chunks_workspace_id_notebook_id"),
        "note_chunks",
        ["workspace_id", "notebook_id"],
        unique=False,
        postgresql_include=["length"],
    )
    op.create_table(
        "qa_answer_sources",
        sa.Column("answer_id", sa.Uuid(), nullable=False),
        sa.Column("note_index", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("note_id", sa.Uuid(), nullable=True),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("score", sa.Double(), nullable=True),
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        sa.ForeignKeyConstraint(
            ["answer_id"],
            ["qa_answers.id"],
            name=op.f("fk_qa_answer_sources_answer_id_qa_answers"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["note_id"],
            ["notes.id"],
            name=op.f("fk_qa_answer_sources_note_id_notes"),
            ondelete="SET NULL",
        ),
        sa.PrimaryKeyConstraint("answer_id", "note_index", name=op.f("pk_qa_answer_sources")),
    )
    op.create_index(
        op.f("ix_qa_answer_sources_note_id"), "qa_answer_sources", ["note_id"], unique=False
    )
    op.create_table(
        "qa_evaluation_issues",
        sa.Column("evaluation_id", sa.Uuid(), nullable=False),
        sa.Column("position", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("kind", sa.String(length=32), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        sa.ForeignKeyConstraint(
            ["evaluation_id"],
            ["qa_evaluations.id"],
            name=op.f("fk_qa_evaluation_issues_evaluation_id_qa_evaluations"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("evaluation_id", "position", name=op.f("pk_qa_evaluation_issues")),
    )
    op.create_table(
        "qa_evaluation_sources",
        sa.Column("evaluation_id", sa.Uuid(), nullable=False),
        sa.Column("note_index", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("cited", sa.Boolean(), nullable=False),
        sa.Column("relevant_claim", sa.Text(), nullable=False),
        sa.Column("quote", sa.Text(), nullable=False),
        sa.Column("quote_found", sa.Boolean(), nullable=True),
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        sa.ForeignKeyConstraint(
            ["evaluation_id"],
            ["qa_evaluations.id"],
            name=op.f("fk_qa_evaluation_sources_evaluation_id_qa_evaluations"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint(
            "evaluation_id", "note_index", name=op.f("pk_qa_evaluation_sources")
        ),
    )
    op.create_table(
        "qa_scores",
        sa.Column("evaluation_id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("value", sa.Double(), nullable=True),
        sa.Column("label", sa.Text(), nullable=True),
        sa.Column("reasoning", sa.Text(), nullable=True),
        sa.Column("source", sa.String(length=8), nullable=False),
        sa.Column("details", postgresql.JSONB(astext_type=sa.Text()), nullable=True),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        sa.ForeignKeyConstraint(
            ["evaluation_id"],
            ["qa_evaluations.id"],
            name=op.f("fk_qa_scores_evaluation_id_qa_evaluations"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_qa_scores")),
        sa.UniqueConstraint("evaluation_id", "name", name=op.f("uq_qa_scores_evaluation_id_name")),
    )
    op.create_table(
        "verdict_events",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("xid", Xid8(), server_default=sa.text("pg_current_xact_id()"), nullable=False),
        sa.Column("evaluation_id", sa.Uuid(), nullable=False),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        sa.ForeignKeyConstraint(
            ["evaluation_id"],
            ["qa_evaluations.id"],
            name=op.f("fk_verdict_events_evaluation_id_qa_evaluations"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_verdict_events")),
    )
    op.create_index(
        op.f("ix_verdict_events_evaluation_id"), "verdict_events", ["evaluation_id"], unique=False
    )
    op.create_index(
        op.f("ix_verdict_events_workspace_id_xid_id"),
        "verdict_events",
        ["workspace_id", "xid", "id"],
        unique=False,
    )
    op.create_index(op.f("ix_verdict_events_xid_id"), "verdict_events", ["xid", "id"], unique=False)


def downgrade() -> None:
    op.drop_index(op.f("ix_verdict_events_xid_id"), table_name="verdict_events")
    op.drop_index(op.f("ix_verdict_events_workspace_id_xid_id"), table_name="verdict_events")
    op.drop_index(op.f("ix_verdict_events_evaluation_id"), table_name="verdict_events")
    op.drop_table("verdict_events")
    op.drop_table("qa_scores")
    op.drop_table("qa_evaluation_sources")
    op.drop_table("qa_evaluation_issues")
    op.drop_index(op.f("ix_qa_answer_sources_note_id"), table_name="qa_answer_sources")
    op.drop_table("qa_answer_sources")
    op.drop_index(
        op.f("ix_note_chunks_workspace_id_notebook_id"),
        table_name="note_chunks",
        postgresql_include=["length"],
    )
    op.drop_index(
        op.f("ix_note_chunks_terms"),
        table_name="note_chunks",
        postgresql_using="gin",
        postgresql_with={"fastupdate": "off"},
    )
    op.drop_table("note_chunks")
    op.drop_index(op.f("ix_judge_calls_evaluation_id_request_hash"), table_name="judge_calls")
    op.drop_table("judge_calls")
    op.drop_index(
        "uq_qa_evaluations_current",
        table_name="qa_evaluations",
        postgresql_where=sa.text("is_current"),
    )
    op.drop_index(
        op.f("ix_qa_evaluations_workspace_id_status_created_at"), table_name="qa_evaluations"
    )
    op.drop_index(op.f("ix_qa_evaluations_workspace_id_created_at_id"), table_name="qa_evaluations")
    op.drop_index(
        "ix_qa_evaluations_leases",
        table_name="qa_evaluations",
        postgresql_where=sa.text("status = 'running'"),
    )
    op.drop_index(
        "ix_qa_evaluations_due",
        table_name="qa_evaluations",
        postgresql_where=sa.text("status IN ('queued', 'retrying')"),
    )
    op.drop_table("qa_evaluations")
    op.drop_table("notes")
    op.drop_index(op.f("ix_qa_answers_workspace_id_created_at"), table_name="qa_answers")
    op.drop_table("qa_answers")
    op.drop_table("notebooks")
    op.drop_table("api_tokens")
    op.drop_table("workspaces")
    op.drop_table("judge_pauses")
