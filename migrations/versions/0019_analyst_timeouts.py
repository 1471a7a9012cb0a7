"""Sessions of analysts end when they are forgotten: they hold back events, vacuum and memory.

Settings of a role count for who logs in as it, not for its members, so that each of those gets
them too. An analyst may set them for a session; what an operator has set stays.
"""

from collections.abc import Sequence

from alembic import op

revision: str = "0019"
down_revision: str | None = "0018"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None

_TIMEOUTS = """
    ARRAY['idle_in_transaction_session_timeout', '1min'],
    ARRAY['statement_timeout', '5min'],
    ARRAY['transaction_timeout', '10min']"""
# The role itself and the logins that are members of it, but for the owner of the tables, who is one
# in order to look through the analyst's eyes. PostgreSQL before 17 has no transaction_timeout. What
# the migrating role may not alter stays; so does what another migration of the cluster alters now.
_EACH = """
DO $$
DECLARE
    login record; timeout text[];
BEGIN
    FOR login IN
        SELECT r.oid, r.rolname FROM pg_roles r
        WHERE r.rolname = 'searchqa_analyst' OR r.rolcanlogin AND NOT r.rolsuper
          AND r.rolname <> current_user
          AND EXISTS (SELECT FROM pg_auth_members m
                      WHERE m.roleid = 'searchqa_analyst'::regrole AND m.member = r.oid)
          AND NOT EXISTS (SELECT FROM pg_class c
                          WHERE c.relnamespace = 'public'::regnamespace AND c.relowner = r.oid)
    LOOP
        FOREACH timeout SLICE 1 IN ARRAY ARRAY[{timeouts}] LOOP
            CONTINUE WHEN NOT EXISTS (SELECT FROM pg_settings WHERE name = timeout[1]);
            CONTINUE WHEN {skipped} (
                SELECT FROM pg_db_role_setting s, unnest(s.setconfig) AS given
                WHERE s.setrole = login.oid AND s.setdatabase = 0 AND given LIKE {like});
            BEGIN
                EXECUTE format({alter});
            EXCEPTION WHEN insufficient_privilege OR internal_error THEN NULL;
            END;
        END LOOP;
    END LOOP;
END $$
"""


def upgrade() -> None:
    op.execute(
        _EACH.format(
            timeouts=_TIMEOUTS,
            skipped="EXISTS",
            like="timeout[1] || '=%'",
            alter="'ALTER ROLE %I SET %I = %L', login.rolname, timeout[1], timeout[2]",
        )
    )


def downgrade() -> None:
    op.execute(
        _EACH.format(
            timeouts=_TIMEOUTS,
            skipped="NOT EXISTS",
            like="timeout[1] || '=' || timeout[2]",
            alter="'ALTER ROLE %I RESET %I', login.rolname, timeout[1]",
        )
    )
