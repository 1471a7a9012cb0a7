"""Roles that processes may connect as instead of the tables' owner, a login for analysts, and
judges without a price under a budget.

`searchqa_api` may by itself only do what comes before a workspace is known; for all else it takes
`searchqa_app`. `searchqa_worker` works on the rows of all workspaces and cannot change the schema.
Both own nothing, so row-level security holds for them. Whoever connects as the owner may go on.
"""

from collections.abc import Sequence
from importlib import import_module

from alembic import op

from migrations.functions import create_function
from migrations.row_security import WORKER_ROLE, let_worker_pass

revision: str = "0020"
down_revision: str | None = "0019"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None

API_ROLE, ANALYST = "searchqa_api", "searchqa_analyst"

_CREATE_ROLE = """
DO $$ BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '{role}') THEN
        CREATE ROLE {role} NOLOGIN;
    END IF;
EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
END $$
"""
# Where the owner may not do this an administrator has, or does it when somebody wants the login.
_LET_ANALYST_LOG_IN = f"""
DO $$ BEGIN
    IF NOT (SELECT rolcanlogin FROM pg_roles WHERE rolname = '{ANALYST}') THEN
        ALTER ROLE {ANALYST} LOGIN;
        ALTER ROLE {ANALYST} SET default_transaction_read_only = on;
    END IF;
EXCEPTION WHEN insufficient_privilege THEN NULL;
END $$
"""
_ALL_PROTECTED = """
DO $$ DECLARE name text; BEGIN
    FOR name IN
        SELECT c.oid::regclass::text FROM pg_class c
        WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
          AND c.relrowsecurity
    LOOP
        {body}
    END LOOP;
END $$
"""
# What this revision replaces.
_EARLIER = import_module("migrations.versions.0016_bounded_rounds").OVER_BUDGET
# A pause tells everybody why: a code of ours that pages put into words, never what a vendor wrote.
# Pauses of before have no code; their judges are tried again and tell it.
_TELL_NO_VENDORS = "UPDATE judge_pauses SET reason = 'unknown'"


def upgrade() -> None:
    for role in (API_ROLE, WORKER_ROLE):
        op.execute(_CREATE_ROLE.format(role=role))
        op.execute(f"GRANT USAGE ON SCHEMA public TO {role}")
    op.execute(_LET_ANALYST_LOG_IN)
    _give_api_what_comes_before_a_workspace()
    _give_worker_all_rows()
    op.execute(create_function("over_budget"))
    op.execute(_TELL_NO_VENDORS)


def downgrade() -> None:
    op.execute(_EARLIER)
    op.execute(
        "UPDATE qa_evaluations SET reason = NULL, run_at = now() WHERE reason = 'budget_unpriced'"
    )
    op.execute(
        _ALL_PROTECTED.format(
            body="EXECUTE format('DROP POLICY IF EXISTS worker ON %s', name);"
            "EXECUTE format('DROP POLICY IF EXISTS api ON %s', name);"
        )
    )
    for kind in ("TABLES", "SEQUENCES"):
        op.execute(
            f"ALTER DEFAULT PRIVILEGES IN SCHEMA public REVOKE ALL ON {kind} FROM {WORKER_ROLE}"
        )
        for role in (API_ROLE, WORKER_ROLE):
            op.execute(f"REVOKE ALL ON ALL {kind} IN SCHEMA public FROM {role}")
    # The roles stay: other databases of the cluster may use them.
    for role in (API_ROLE, WORKER_ROLE):
        op.execute(f"REVOKE USAGE ON SCHEMA public FROM {role}")


def _give_api_what_comes_before_a_workspace() -> None:
    op.execute(f"GRANT SELECT, INSERT, UPDATE, DELETE ON api_tokens TO {API_ROLE}")
    op.execute(f"CREATE POLICY api ON api_tokens TO {API_ROLE} USING (true)")
    op.execute(f"GRANT SELECT, INSERT ON workspaces TO {API_ROLE}")
    op.execute(f"GRANT SELECT ON alembic_version, verdict_events TO {API_ROLE}")
    op.execute(f"CREATE POLICY api ON verdict_events FOR SELECT TO {API_ROLE} USING (true)")
    op.execute(f"GRANT SELECT, DELETE ON judge_pauses TO {API_ROLE}")


def _give_worker_all_rows() -> None:
    rights = "SELECT, INSERT, UPDATE, DELETE"
    op.execute(f"GRANT {rights} ON ALL TABLES IN SCHEMA public TO {WORKER_ROLE}")
    op.execute(f"REVOKE INSERT, UPDATE, DELETE ON alembic_version FROM {WORKER_ROLE}")
    op.execute(f"GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO {WORKER_ROLE}")
    op.execute(f"GRANT EXECUTE ON FUNCTION note_postings TO {WORKER_ROLE}")
    # Of tables to come as well.
    default = "ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT"
    op.execute(f"{default} {rights} ON TABLES TO {WORKER_ROLE}")
    op.execute(f"{default} USAGE ON SEQUENCES TO {WORKER_ROLE}")
    op.execute(_ALL_PROTECTED.format(body=let_worker_pass("name")))
