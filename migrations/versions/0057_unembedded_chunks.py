"""A queue of the chunks to embed, so that a new note does not cost a look at all chunks; and what
keyword search may find is ranked with its terms fetched once.

Triggers keep it, for processes of the release before write chunks and vectors too.
"""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

from migrations.concurrent_index import create_index
from migrations.functions import create_function
from migrations.row_security import protect, unprotect

revision: str = "0057"
down_revision: str | None = "0056"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None

_TABLE, _BY_MODEL = "unembedded_chunks", "ix_note_embeddings_workspace_id_model"
_QUEUE, _UNQUEUE = "queue_chunks", "unqueue_chunks"
# Rows of one transaction: what it has looked at cannot be deleted meanwhile.
_BATCH = 10_000
_LAST = sa.text("SELECT id FROM note_chunks WHERE id > :after ORDER BY id OFFSET :others LIMIT 1")
_FILL = sa.text(f"""
INSERT INTO {_TABLE} (chunk_id, workspace_id)
SELECT chunk.id, chunk.workspace_id
FROM note_chunks AS chunk JOIN notes AS note ON note.id = chunk.note_id
WHERE chunk.id > :after AND (CAST(:last AS uuid) IS NULL OR chunk.id <= :last)
  AND (note.title <> '' OR chunk.content <> '')
  AND NOT EXISTS (SELECT FROM note_embeddings AS stored WHERE stored.chunk_id = chunk.id)
FOR KEY SHARE OF chunk
ON CONFLICT DO NOTHING
""")


def upgrade() -> None:
    op.create_table(
        _TABLE,
        sa.Column("chunk_id", sa.Uuid(), nullable=False),
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        sa.ForeignKeyConstraint(
            ["chunk_id"],
            ["note_chunks.id"],
            name=op.f(f"fk_{_TABLE}_chunk_id_note_chunks"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("chunk_id", name=op.f(f"pk_{_TABLE}")),
    )
    op.create_index(op.f(f"ix_{_TABLE}_workspace_id"), _TABLE, ["workspace_id"])
    protect(_TABLE)
    op.execute(create_function(_QUEUE))
    op.execute(create_function(_UNQUEUE))
    op.execute(
        f"CREATE TRIGGER {_QUEUE} AFTER INSERT ON note_chunks"
        f" REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION {_QUEUE}()"
    )
    for event in ("INSERT", "UPDATE"):
        op.execute(
            f"CREATE TRIGGER {_UNQUEUE}_{event.lower()} AFTER {event} ON note_embeddings"
            f" REFERENCING NEW TABLE AS stored FOR EACH STATEMENT EXECUTE FUNCTION {_UNQUEUE}()"
        )
    op.execute(create_function("note_candidates"))
    with op.get_context().autocommit_block():
        _fill()
    create_index(
        *(_BY_MODEL, "note_embeddings", ["workspace_id", "model"]),
        postgresql_include=["dimensions"],
    )


def _fill() -> None:
    """Queues what was stored before the triggers were there; more than once does no harm."""
    connection = op.get_bind()
    after = "00000000-0000-0000-0000-000000000000"
    while after:
        last = connection.scalar(_LAST, {"after": after, "others": _BATCH - 1})
        connection.execute(_FILL, {"after": after, "last": last})
        after = last


def downgrade() -> None:
    op.drop_index(_BY_MODEL, "note_embeddings")
    op.execute(f"DROP TRIGGER {_QUEUE} ON note_chunks")
    for event in ("insert", "update"):
        op.execute(f"DROP TRIGGER {_UNQUEUE}_{event} ON note_embeddings")
    op.execute(f"DROP FUNCTION {_QUEUE}")
    op.execute(f"DROP FUNCTION {_UNQUEUE}")
    unprotect(_TABLE)
    op.drop_table(_TABLE)
