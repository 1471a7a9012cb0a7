"""Policies may have personal data replaced by marks before an answer is stored; deletions of users
leave a receipt in the audit log."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

from migrations.functions import create_function
from migrations.row_security import APP_ROLE, WORKER_ROLE

revision: str = "0079"
down_revision: str | None = "0078"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None

_POLICIES = "evaluation_policies"


def upgrade() -> None:
    op.add_column(_POLICIES, sa.Column("redact", sa.Boolean()), if_not_exists=True)
    op.add_column(_POLICIES, sa.Column("redact_pattern", sa.Text()), if_not_exists=True)
    op.execute(create_function("redaction_key"))
    op.execute("REVOKE ALL ON FUNCTION redaction_key FROM PUBLIC")
    op.execute(f"GRANT EXECUTE ON FUNCTION redaction_key TO {APP_ROLE}, {WORKER_ROLE}")
    op.execute(create_function("record_user_deletion"))
    op.execute("REVOKE ALL ON FUNCTION record_user_deletion FROM PUBLIC")
    op.execute(f"GRANT EXECUTE ON FUNCTION record_user_deletion TO {APP_ROLE}")


def downgrade() -> None:
    op.execute("DROP FUNCTION record_user_deletion")
    op.execute("DROP FUNCTION redaction_key")
    op.drop_column(_POLICIES, "redact_pattern")
    op.drop_column(_POLICIES, "redact")
