"""A term has keys in the samples of chunks, so that it is counted there without an intersection."""

from collections.abc import Sequence

from alembic import op

from migrations.concurrent_index import rebuild_index
from migrations.functions import create_function

revision: str = "0082"
down_revision: str | None = "0081"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None


def upgrade() -> None:
    op.execute(create_function("note_keys"))
    with op.get_context().autocommit_block():
        op.execute("SET maintenance_work_mem = '256MB'")
    # In five minutes for a million chunks.
    rebuild_index("ix_note_chunks_keys")


def downgrade() -> None:
    """The release before looks for fewer keys."""
