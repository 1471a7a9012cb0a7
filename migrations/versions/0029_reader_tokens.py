"""Reader tokens: each shows one verdict to a page of another application, for a short while."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

from migrations.functions import create_function

revision: str = "0029"
down_revision: str | None = "0028"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None

# What this revision replaces.
_NOTIFY_ONLY = """
CREATE OR REPLACE FUNCTION tell_of_revoked_token() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('searchqa_tokens', OLD.id::text);
    RETURN NULL;
END $$
"""


def upgrade() -> None:
    op.add_column("api_tokens", sa.Column("evaluation_id", sa.Uuid()))
    op.add_column("api_tokens", sa.Column("issued_by", sa.Uuid()))
    op.create_foreign_key(
        op.f("fk_api_tokens_issued_by_api_tokens"),
        "api_tokens",
        "api_tokens",
        ["issued_by"],
        ["id"],
        ondelete="CASCADE",
    )
    op.create_index(
        "ix_api_tokens_issued_by",
        "api_tokens",
        ["issued_by"],
        postgresql_where=sa.text("issued_by IS NOT NULL"),
    )
    op.create_index(
        "ix_api_tokens_readers_expires_at",
        "api_tokens",
        ["expires_at"],
        postgresql_where=sa.text("kind = 'reader'"),
    )
    op.create_check_constraint(
        op.f("ck_api_tokens_reader_is_limited"),
        "api_tokens",
        "(kind = 'reader') = (evaluation_id IS NOT NULL)"
        " AND (kind <> 'reader' OR cardinality(scopes) = 0 AND expires_at IS NOT NULL)",
    )
    op.execute(create_function("tell_of_revoked_token"))


def downgrade() -> None:
    op.execute(_NOTIFY_ONLY)
    op.execute("DELETE FROM api_tokens WHERE kind = 'reader'")
    op.drop_constraint(op.f("ck_api_tokens_reader_is_limited"), "api_tokens", type_="check")
    op.drop_index("ix_api_tokens_readers_expires_at", table_name="api_tokens")
    op.drop_column("api_tokens", "issued_by")
    op.drop_column("api_tokens", "evaluation_id")
