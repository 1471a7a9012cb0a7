"""A policy names the features whose poor answers are improved automatically."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0024"
down_revision: str | None = "0023"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None


def upgrade() -> None:
    op.add_column("evaluation_policies", sa.Column("auto_refine_features", sa.ARRAY(sa.Text())))


def downgrade() -> None:
    op.drop_column("evaluation_policies", "auto_refine_features")
