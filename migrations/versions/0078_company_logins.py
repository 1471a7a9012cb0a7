"""Whose session it is: the user of a login provider. Their logins are in the audit log."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0078"
down_revision: str | None = "0077"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None

_TABLE, _COLUMN, _TRIGGER = "api_tokens", "subject", "audit_login"


def upgrade() -> None:
    op.add_column(_TABLE, sa.Column(_COLUMN, sa.Text()))
    op.execute(
        f"CREATE TRIGGER {_TRIGGER} AFTER INSERT ON {_TABLE} FOR EACH ROW"
        f" WHEN (NEW.{_COLUMN} IS NOT NULL) EXECUTE FUNCTION"
        " audit_row('login', 'name', 'id', 'token_hash', 'id,name,kind,last_used_at,evaluation_id')"
    )


def downgrade() -> None:
    op.execute(f"DROP TRIGGER {_TRIGGER} ON {_TABLE}")
    op.drop_column(_TABLE, _COLUMN)
