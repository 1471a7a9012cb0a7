"""The search for near vectors, by an index where the workspace has one.

The indexes themselves are made beside the use of the table, not by a migration: see
app.notes.vector_indexes.
"""

from collections.abc import Sequence

from alembic import op

from migrations.functions import create_function

revision: str = "0056"
down_revision: str | None = "0055"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None


def upgrade() -> None:
    op.execute(create_function("nearest_embeddings"))


def downgrade() -> None:
    op.execute("DROP FUNCTION nearest_embeddings")
