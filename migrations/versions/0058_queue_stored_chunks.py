"""Chunks that were stored before there was a queue of those to embed are put into it, and an index
finds the vectors of another model.

Apart from the table, since what is done here commits by itself and may have to be tried again.
"""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

from migrations.concurrent_index import create_index

revision: str = "0058"
down_revision: str | None = "0057"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None

_INDEX, _VECTORS = "ix_note_embeddings_workspace_id_model", "note_embeddings"
# Rows of one transaction: what it has looked at cannot be deleted meanwhile.
_BATCH = 10_000
_LAST = sa.text("SELECT id FROM note_chunks WHERE id > :after ORDER BY id OFFSET :others LIMIT 1")
_FILL = sa.text(f"""
INSERT INTO unembedded_chunks (chunk_id, workspace_id)
SELECT chunk.id, chunk.workspace_id
FROM note_chunks AS chunk JOIN notes AS note ON note.id = chunk.note_id
WHERE chunk.id > :after AND (CAST(:last AS uuid) IS NULL OR chunk.id <= :last)
  AND (note.title <> '' OR chunk.content <> '')
  AND NOT EXISTS (SELECT FROM {_VECTORS} AS stored WHERE stored.chunk_id = chunk.id)
FOR KEY SHARE OF chunk
ON CONFLICT DO NOTHING
""")


def upgrade() -> None:
    with op.get_context().autocommit_block():
        _fill()
    create_index(*(_INDEX, _VECTORS, ["workspace_id", "model"]), postgresql_include=["dimensions"])


def _fill() -> None:
    """More than once does no harm."""
    connection = op.get_bind()
    after = "00000000-0000-0000-0000-000000000000"
    while after:
        last = connection.scalar(_LAST, {"after": after, "others": _BATCH - 1})
        connection.execute(_FILL, {"after": after, "last": last})
        after = last


def downgrade() -> None:
    op.drop_index(_INDEX, _VECTORS)
