"""Traces of other applications, which become answers."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

from migrations.row_security import protect, unprotect

revision: str = "0028"
down_revision: str | None = "0027"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None

_TABLES = ("traces", "trace_spans", "trace_counts")
_OUTCOMES = (
    *("answered", "without_document_text", "without_documents", "without_question"),
    *("without_answer", "not_genai", "failed"),
)
_KINDS = ("chain", "agent", "llm", "retriever", "reranker", "embedding", "other")


def upgrade() -> None:
    _create_traces()
    op.create_table(
        "trace_spans",
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        sa.Column("trace_id", sa.String(32), nullable=False),
        sa.Column("span_id", sa.String(16), nullable=False),
        sa.Column("parent_id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text()),
        sa.Column("started_ns", sa.BigInteger(), nullable=False),
        sa.Column("content", postgresql.JSONB()),
        sa.CheckConstraint(_one_of("kind", _KINDS), name=op.f("ck_trace_spans_kind_known")),
        sa.ForeignKeyConstraint(
            ["workspace_id", "trace_id"],
            ["traces.workspace_id", "traces.trace_id"],
            name=op.f("fk_trace_spans_workspace_id_trace_id_traces"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "trace_id", "span_id", name=op.f("pk_trace_spans")),
    )
    op.create_table(
        "trace_counts",
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("count", sa.BigInteger(), nullable=False),
        _of_workspace("trace_counts"),
        sa.PrimaryKeyConstraint("workspace_id", "day", "name", name=op.f("pk_trace_counts")),
    )
    protect(*_TABLES)


def _create_traces() -> None:
    now = sa.text("now()")
    at = sa.DateTime(timezone=True)
    op.create_table(
        "traces",
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        sa.Column("trace_id", sa.String(32), nullable=False),
        sa.Column("created_at", at, server_default=now, nullable=False),
        sa.Column("service", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("rooted", sa.Boolean(), nullable=False),
        sa.Column("spans", sa.Integer(), nullable=False),
        sa.Column("content_bytes", sa.BigInteger(), nullable=False),
        sa.Column("opened_at", at, server_default=now, nullable=False),
        sa.Column("settle_at", at),
        sa.Column("settled_at", at),
        sa.Column("outcome", sa.Text()),
        sa.Column("answers", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("members", sa.ARRAY(sa.Text()), server_default="{}", nullable=False),
        sa.Column("outer", sa.ARRAY(sa.Text()), server_default="{}", nullable=False),
        sa.Column("spans_kept", sa.Boolean(), server_default=sa.text("true"), nullable=False),
        sa.CheckConstraint(_one_of("outcome", _OUTCOMES), name=op.f("ck_traces_outcome_known")),
        _of_workspace("traces"),
        sa.PrimaryKeyConstraint("workspace_id", "trace_id", name=op.f("pk_traces")),
    )
    due = sa.text("settle_at IS NOT NULL")
    op.create_index("ix_traces_due", "traces", ["settle_at"], postgresql_where=due)
    kept = sa.text("settle_at IS NULL AND spans_kept")
    op.create_index("ix_traces_spans_kept", "traces", ["settled_at"], postgresql_where=kept)
    settled = sa.text("outcome IS NOT NULL")
    columns = ["workspace_id", "created_at"]
    op.create_index("ix_traces_settled", "traces", columns, postgresql_where=settled)
    op.create_index(op.f("ix_traces_created_at"), "traces", ["created_at"])


def downgrade() -> None:
    unprotect(*_TABLES)
    for table in ("trace_counts", "trace_spans", "traces"):
        op.drop_table(table)


def _of_workspace(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        ["workspace_id"],
        ["workspaces.id"],
        name=op.f(f"fk_{table}_workspace_id_workspaces"),
        ondelete="CASCADE",
    )


def _one_of(column: str, names: Sequence[str]) -> str:
    return f"{column} IN ({', '.join(repr(name) for name in names)})"
