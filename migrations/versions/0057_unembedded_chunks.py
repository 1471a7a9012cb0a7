"""A queue of the chunks to embed, so that a new note does not cost a look at all chunks; and what
keyword search may find is ranked with its terms fetched once.

Triggers keep it, for processes of the release before write chunks and vectors too. What was stored
before them is queued by the next migration.
"""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

from migrations.functions import create_function
from migrations.row_security import protect, unprotect

revision: str = "0057"
down_revision: str | None = "0056"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None

_TABLE = "unembedded_chunks"
_QUEUE, _UNQUEUE = "queue_chunks", "unqueue_chunks"


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


def downgrade() -> None:
    op.execute(f"DROP TRIGGER {_QUEUE} ON note_chunks")
    for event in ("insert", "update"):
        op.execute(f"DROP TRIGGER {_UNQUEUE}_{event} ON note_embeddings")
    op.execute(f"DROP FUNCTION {_QUEUE}")
    op.execute(f"DROP FUNCTION {_UNQUEUE}")
    unprotect(_TABLE)
    op.drop_table(_TABLE)
