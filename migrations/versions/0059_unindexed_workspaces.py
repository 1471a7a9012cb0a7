"""Dispatchers report large workspaces without an index of their vectors."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision: str = "0059"
down_revision: str | None = "0058"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None

_TABLE, _COLUMN = "processes", "unindexed"


def upgrade() -> None:
    op.add_column(_TABLE, sa.Column(_COLUMN, postgresql.JSONB()))


def downgrade() -> None:
    op.drop_column(_TABLE, _COLUMN)
