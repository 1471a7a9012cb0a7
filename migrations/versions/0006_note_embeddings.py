"""Vectors of chunks, by pgvector."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

from migrations.row_security import protect, unprotect

revision: str = "0006"
down_revision: str | None = "0005"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None


def upgrade() -> None:
    op.create_table(
        "note_embeddings",
        sa.Column("chunk_id", sa.Uuid(), nullable=False),
        sa.Column("notebook_id", sa.Uuid(), nullable=False),
        sa.Column("model", sa.Text(), nullable=False),
        sa.Column("dimensions", sa.Integer(), nullable=True),
        # A vector where the server has pgvector: see migrations/vectors.py.
        sa.Column("embedding", sa.Text(), nullable=True),
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
