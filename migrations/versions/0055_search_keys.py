"""An index of chunks by keys that begin with their workspace, which also finds terms together and
samples.

It is made beside the use of the table: five minutes for a million chunks on two busy cores. If that
is broken off it begins anew, and until it is there the old one is used.
"""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

from migrations.concurrent_index import create_index, drop_index
from migrations.functions import create_function
from migrations.row_security import APP_ROLE, WORKER_ROLE

revision: str = "0055"
down_revision: str | None = "0054"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None

_KEYS = "note_keys(workspace_id, notebook_id, id, terms)"
_FUNCTIONS = ("note_collection", "note_matches", "note_candidates")
# What this revision replaces.
_EARLIER = """
CREATE OR REPLACE FUNCTION note_postings(
    workspace uuid, notebook uuid, terms text[], queries text[]
)
RETURNS TABLE (term text, id uuid, length integer)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT query.term, chunk.id, chunk.length
    FROM unnest(terms, queries) AS query (term, tsquery)
    CROSS JOIN LATERAL (
        SELECT c.id, c.length
        FROM note_chunks c
        WHERE c.workspace_id = workspace
          AND (notebook IS NULL OR c.notebook_id = notebook)
          AND c.terms @@ CAST(query.tsquery AS tsquery)
        OFFSET 0
    ) AS chunk
    WHERE current_setting('role') <> 'searchqa_app'
       OR workspace = NULLIF(current_setting('app.workspace_id', true), '')::uuid
$$
"""


def upgrade() -> None:
    op.execute(create_function("note_keys"))
    # With the pending list of fastupdate, searches scan the table after every import.
    gin = {"postgresql_using": "gin", "postgresql_with": {"fastupdate": "off"}}
    with op.get_context().autocommit_block():
        op.execute("SET maintenance_work_mem = '256MB'")
    create_index("ix_note_chunks_keys", "note_chunks", [sa.text(_KEYS)], **gin)
    create_index(
        "ix_note_chunks_counted",
        "note_chunks",
        ["workspace_id", "notebook_id"],
        where="(uuid_hash_extended(id, 0) & 255) = 0",
        postgresql_include=["length"],
    )
    create_index(
        "ix_notes_workspace_id_category",
        "notes",
        ["workspace_id", "category"],
        where="octet_length(category) <= 1000",
    )
    with op.get_context().autocommit_block():
        op.execute("RESET maintenance_work_mem")
    for name in _FUNCTIONS:
        op.execute(create_function(name))
        op.execute(f"REVOKE ALL ON FUNCTION {name} FROM PUBLIC")
        op.execute(f"GRANT EXECUTE ON FUNCTION {name} TO {APP_ROLE}, {WORKER_ROLE}")
    op.execute(create_function("note_postings"))
    # contract: the release before reads it by note_postings only, which has another now
    drop_index("ix_note_chunks_terms", "note_chunks")


def downgrade() -> None:
    gin = {"postgresql_using": "gin", "postgresql_with": {"fastupdate": "off"}}
    op.create_index("ix_note_chunks_terms", "note_chunks", ["terms"], **gin)
    op.execute("DROP FUNCTION note_postings")
    op.execute(_EARLIER)
    op.execute("REVOKE ALL ON FUNCTION note_postings FROM PUBLIC")
    op.execute(f"GRANT EXECUTE ON FUNCTION note_postings TO {APP_ROLE}, {WORKER_ROLE}")
    for name in _FUNCTIONS:
        op.execute(f"DROP FUNCTION {name}")
    op.drop_index("ix_notes_workspace_id_category", "notes")
    op.drop_index("ix_note_chunks_counted", "note_chunks")
    op.drop_index("ix_note_chunks_keys", "note_chunks")
    op.execute("DROP FUNCTION note_keys")
