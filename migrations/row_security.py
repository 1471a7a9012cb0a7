"""Row-level security as every table of a workspace has it; see docs/decisions/0008.

A transaction of the API takes the role `searchqa_app` and names its workspace in the setting
`app.workspace_id`. The tables' owner (migrations, workers, dispatcher, command line) is not bound.
"""

from alembic import op

APP_ROLE = "searchqa_app"
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


def unprotect(*tables: str) -> None:
    for table in tables:
        op.execute(f"DROP POLICY workspace ON {table}")
        op.execute(f"ALTER TABLE {table} DISABLE ROW LEVEL SECURITY")
        op.execute(f"REVOKE ALL ON {table} FROM {APP_ROLE}")
