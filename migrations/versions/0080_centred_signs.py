"""Indexes of vectors may hold signs of differences from the mean; a search asks what it holds."""

from collections.abc import Sequence

from alembic import op

from migrations.functions import create_function

revision: str = "0080"
down_revision: str | None = "0079"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None


def upgrade() -> None:
    op.execute(create_function("nearest_embeddings"))


def downgrade() -> None:
    """It reads the indexes of the release before as well."""
