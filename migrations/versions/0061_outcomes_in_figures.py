"""Figures read outcomes from their covering index, and older rows are checked for unknown ones.
Writers go on meanwhile."""

from collections.abc import Sequence

from alembic import op

from migrations.concurrent_index import create_index, drop_index

revision: str = "0061"
down_revision: str | None = "0060"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None

_TABLE, _INDEX = "qa_evaluations", "ix_qa_evaluations_workspace_id_answered_at"
_NEXT = f"{_INDEX}_next"
_FIGURES = (
    *("id", "answer_id", "is_current", "status", "reason", "degraded", "correctness", "utility"),
    *("confidence", "judge_model", "claims_supported", "claims_partly", "claims_unsupported"),
)


def upgrade() -> None:
    op.execute("ALTER TABLE qa_evaluations VALIDATE CONSTRAINT ck_qa_evaluations_outcome_known")
    _replace_index((*_FIGURES, "outcome"))


def downgrade() -> None:
    _replace_index(_FIGURES)


def _replace_index(columns: Sequence[str]) -> None:
    create_index(_NEXT, _TABLE, ["workspace_id", "answered_at"], postgresql_include=columns)
    drop_index(_INDEX, _TABLE)
    # contract: no statement names an index.
    op.execute(f"ALTER INDEX {_NEXT} RENAME TO {_INDEX}")
