"""Row-level security: a role that sees one workspace; notice when a token is revoked."""

from collections.abc import Sequence

from alembic import op

from migrations.functions import create_function
from migrations.row_security import APP_ROLE, protect, unprotect

revision: str = "0002"
down_revision: str | None = "0001"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None

TABLES = (
    "api_tokens",
    "judge_calls",
    "note_chunks",
    "notebooks",
    "notes",
    "qa_answer_sources",
    "qa_answers",
    "qa_evaluation_issues",
    "qa_evaluation_sources",
    "qa_evaluations",
    "qa_scores",
    "verdict_events",
)

# Roles belong to the cluster, so another database, or an administrator, may have made this one.
_CREATE_ROLE = f"""
DO $$ BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '{APP_ROLE}') THEN
        CREATE ROLE {APP_ROLE} NOLOGIN;
    END IF;
EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
END $$
"""
_MAY_TAKE_ROLE = f"""
DO $$ BEGIN
    IF NOT (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN
        BEGIN
            GRANT {APP_ROLE} TO CURRENT_USER;
        EXCEPTION WHEN insufficient_privilege THEN
            IF NOT pg_has_role(current_user, '{APP_ROLE}', 'MEMBER') THEN RAISE; END IF;
        END;
    END IF;
END $$
"""

_ON_REVOKE = """
CREATE TRIGGER tell_of_revoked AFTER UPDATE OF revoked_at ON api_tokens
FOR EACH ROW WHEN (OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL)
EXECUTE FUNCTION tell_of_revoked_token()
"""
_ON_DELETE = """
CREATE TRIGGER tell_of_deleted AFTER DELETE ON api_tokens
FOR EACH ROW EXECUTE FUNCTION tell_of_revoked_token()
"""


def upgrade() -> None:
    op.execute(_CREATE_ROLE)
    op.execute(_MAY_TAKE_ROLE)
    op.execute(f"GRANT USAGE ON SCHEMA public TO {APP_ROLE}")
    # A new answer is told whether its judge is paused.
    op.execute(f"GRANT SELECT ON judge_pauses TO {APP_ROLE}")
    protect(*TABLES)
    op.execute(create_function("note_postings"))
    op.execute("REVOKE ALL ON FUNCTION note_postings FROM PUBLIC")
    op.execute(f"GRANT EXECUTE ON FUNCTION note_postings TO {APP_ROLE}")
    op.execute(create_function("tell_of_revoked_token"))
    op.execute(_ON_REVOKE)
    op.execute(_ON_DELETE)


def downgrade() -> None:
    op.execute("DROP TRIGGER tell_of_deleted ON api_tokens")
    op.execute("DROP TRIGGER tell_of_revoked ON api_tokens")
    op.execute("DROP FUNCTION tell_of_revoked_token")
    op.execute("DROP FUNCTION note_postings")
    unprotect(*TABLES)
    op.execute(f"REVOKE ALL ON judge_pauses FROM {APP_ROLE}")
    # The role stays: other databases of the cluster may use it.
    op.execute(f"REVOKE USAGE ON SCHEMA public FROM {APP_ROLE}")
