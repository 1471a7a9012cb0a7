"""A workspace may have each answer judged by itself, however alike they are."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0040"
down_revision: str | None = "0037"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None


def upgrade() -> None:
    op.add_column("evaluation_policies", sa.Column("reuse_replies", sa.Boolean()))


def downgrade() -> None:
    op.drop_column("evaluation_policies", "reuse_replies")
