"""Row-level security as every table of a workspace has it; see docs/decisions/0008.

A transaction of the API takes the role `searchqa_app` and names its workspace in the setting
`app.workspace_id`. The tables' owner (migrations, command line) is not bound; `searchqa_worker`
sees all workspaces by a policy of its own.
"""

from alembic import op

APP_ROLE = "searchqa_app"
WORKER_ROLE = "searchqa_worker"
# NULL when nothing is set, and then no row is seen.
WORKSPACE = "(SELECT NULLIF(current_setting('app.workspace_id', true), '')::uuid)"


def protect(*tables: str) -> None:
    """Lets the role see, change and add rows of the named workspace only."""
    for table in tables:
        op.execute(f"GRANT SELECT, INSERT, UPDATE, DELETE ON {table} TO {APP_ROLE}")
        op.execute(f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY")
        op.execute(
            f"CREATE POLICY workspace ON {table} TO {APP_ROLE}"
            f" USING (workspace_id = {WORKSPACE}) WITH CHECK (workspace_id = {WORKSPACE})"
        )

        # Migration 0020 makes the role, and the policy of every table that was there before.
        op.execute(f"DO $$ DECLARE name text := '{table}'; BEGIN {let_worker_pass('name')} END $$")


def let_worker_pass(name: str) -> str:
    """The PL/pgSQL that lets the role of workers, if there is one, see all rows of the table that
    the variable `name` names."""
    return f"""
        IF EXISTS (SELECT FROM pg_roles WHERE rolname = '{WORKER_ROLE}')
            AND NOT EXISTS (SELECT FROM pg_policy
                WHERE polrelid = {name}::regclass AND polname = 'worker') THEN
            EXECUTE format('CREATE POLICY worker ON %s TO {WORKER_ROLE} USING (true)', {name});
        END IF;
    """


def unprotect(*tables: str) -> None:
    for table in tables:
        op.execute(f"DROP POLICY workspace ON {table}")
        op.execute(f"DROP POLICY IF EXISTS worker ON {table}")
        op.execute(f"ALTER TABLE {table} DISABLE ROW LEVEL SECURITY")
        op.execute(f"REVOKE ALL ON {table} FROM {APP_ROLE}")
