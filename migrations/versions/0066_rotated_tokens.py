"""When a token was rotated: it is rotated once."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0066"
down_revision: str | None = "0065"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None

_TABLE, _COLUMN = "api_tokens", "rotated_at"


def upgrade() -> None:
    op.add_column(_TABLE, sa.Column(_COLUMN, sa.DateTime(timezone=True)))


def downgrade() -> None:
    op.drop_column(_TABLE, _COLUMN)
