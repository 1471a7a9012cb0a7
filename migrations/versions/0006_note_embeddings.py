"""Vectors of chunks, by pgvector."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

from app.errors import SetupError
from app.search.vector_type import Vector
from migrations.row_security import protect, unprotect

revision: str = "0006"
down_revision: str | None = "0005"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None

_AVAILABLE = "SELECT FROM pg_available_extensions WHERE name = 'vector'"
_CREATE = "CREATE EXTENSION IF NOT EXISTS vector"


def upgrade() -> None:
    if not op.get_bind().execute(sa.text(_AVAILABLE)).rowcount:
        raise SetupError(
            "PostgreSQL has no pgvector, which stores the vectors of notes; install it on the"
            " server (package postgresql-<version>-pgvector, or the image pgvector/pgvector) and"
            " migrate again."
        )
    op.execute(_CREATE)
    op.create_table(
        "note_embeddings",
        sa.Column("chunk_id", sa.Uuid(), nullable=False),
        sa.Column("notebook_id", sa.Uuid(), nullable=False),
        sa.Column("model", sa.Text(), nullable=False),
        sa.Column("dimensions", sa.Integer(), nullable=True),
        sa.Column("embedding", Vector(), nullable=True),
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        sa.CheckConstraint(
            "(embedding IS NULL) = (dimensions IS NULL)",
            name=op.f("ck_note_embeddings_has_dimensions"),
        ),
        sa.ForeignKeyConstraint(
            ["chunk_id"],
            ["note_chunks.id"],
            name=op.f("fk_note_embeddings_chunk_id_note_chunks"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("chunk_id", name=op.f("pk_note_embeddings")),
    )
    op.create_index(
        op.f("ix_note_embeddings_workspace_id_notebook_id"),
        "note_embeddings",
        ["workspace_id", "notebook_id"],
    )
    protect("note_embeddings")


def downgrade() -> None:
    # The extension stays: it may have been there before, and others may use it.
    unprotect("note_embeddings")
    op.drop_index(op.f("ix_note_embeddings_workspace_id_notebook_id"), table_name="note_embeddings")
    op.drop_table("note_embeddings")
