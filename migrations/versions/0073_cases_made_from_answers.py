"""Test cases made from answers: their notes, what is expected, where they are from; whether they
pass in a run, and the release that a run is of."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

from migrations.concurrent_index import create_index, drop_index

revision: str = "0073"
down_revision: str | None = "0072"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None

_CASES = "eval_test_cases"
_KEY = "uq_eval_test_cases_dataset_id_case_key"
_COLUMNS: Sequence[tuple[str, sa.Column[object]]] = (
    (_CASES, sa.Column("notes", JSONB())),
    (
        _CASES,
        sa.Column("expects_refusal", sa.Boolean(), server_default=sa.false(), nullable=False),
    ),
    (_CASES, sa.Column("source", JSONB())),
    (_CASES, sa.Column("case_key", sa.String(64))),
    ("eval_runs", sa.Column("app_version", sa.Text())),
    ("eval_results", sa.Column("passed", sa.Boolean())),
)


def upgrade() -> None:
    for table, column in _COLUMNS:
        op.add_column(table, column, if_not_exists=True)
    create_index(_KEY, _CASES, ["dataset_id", "case_key"], "case_key IS NOT NULL", unique=True)


def downgrade() -> None:
    drop_index(_KEY, _CASES)
    for table, column in _COLUMNS:
        op.drop_column(table, column.name)
