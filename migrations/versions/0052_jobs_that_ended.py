"""Jobs that have ended are found by the time of their end, for retention."""

from collections.abc import Sequence

from alembic import op

from migrations.concurrent_index import create_index

revision: str = "0052"
down_revision: str | None = "0051"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None

_NAME, _TABLE = "ix_jobs_ended", "jobs"
_ENDED = "status IN ('succeeded', 'failed', 'cancelled') AND kind NOT IN ('refine')"


def upgrade() -> None:
    create_index(_NAME, _TABLE, ["finished_at"], _ENDED)


def downgrade() -> None:
    op.drop_index(_NAME, _TABLE)
