"""What is due is found by judge and workspace, and what is published by the same.

Both indexes are made while rows are written: see `searchqa migrate`.
"""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0017"
down_revision: str | None = "0016"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None

_TABLE = "qa_evaluations"
_WAITING = "status IN ('queued', 'retrying')"
_OLD = "ix_qa_evaluations_due"
_NEW = {
    "ix_qa_evaluations_due_by_workspace": ("run_at", _WAITING),
    "ix_qa_evaluations_published": ("enqueued_at", f"{_WAITING} AND enqueued_at IS NOT NULL"),
}


def upgrade() -> None:
    with op.get_context().autocommit_block():
        for name, (last, where) in _NEW.items():
            # One that was broken off is invalid, and stays in the way of the next try.
            op.drop_index(name, _TABLE, postgresql_concurrently=True, if_exists=True)
            _create(name, ["queue", "judge_model", "workspace_id", last], where)
        op.drop_index(_OLD, _TABLE, postgresql_concurrently=True, if_exists=True)


def downgrade() -> None:
    with op.get_context().autocommit_block():
        op.drop_index(_OLD, _TABLE, postgresql_concurrently=True, if_exists=True)
        _create(_OLD, ["queue", "judge_model", "run_at"], _WAITING)
        for name in _NEW:
            op.drop_index(name, _TABLE, postgresql_concurrently=True, if_exists=True)


def _create(name: str, columns: Sequence[str], where: str) -> None:
    op.create_index(
        name, _TABLE, columns, postgresql_where=sa.text(where), postgresql_concurrently=True
    )
