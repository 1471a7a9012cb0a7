"""SQL of saved views."""

from sqlalchemy import text

_COLUMNS = 'id, name, filters, list_order AS "order", columns, author, created_at, updated_at'

VIEWS = text(f"""
SELECT {_COLUMNS} FROM saved_views WHERE workspace_id = :workspace_id ORDER BY lower(name), name
""")
VIEW = text(f"SELECT {_COLUMNS} FROM saved_views WHERE workspace_id = :workspace_id AND id = :id")

# One new view of a workspace at a time, so that their number has a bound.
LOCK = text("SELECT pg_advisory_xact_lock(hashtextextended('saved_views' || :workspace_id, 0))")
COUNT = text("SELECT count(*) FROM saved_views WHERE workspace_id = :workspace_id")
INSERT = text(f"""
INSERT INTO saved_views (id, workspace_id, name, filters, list_order, columns, author)
VALUES (:id, :workspace_id, :name, CAST(:filters AS jsonb), :order, CAST(:columns AS text[]),
    :author)
RETURNING {_COLUMNS}
""")
# NULL keeps what is there; `columns` may be set to NULL.
UPDATE = text(f"""
UPDATE saved_views SET name = COALESCE(CAST(:name AS text), name),
    filters = COALESCE(CAST(:filters AS jsonb), filters),
    list_order = COALESCE(CAST(:order AS text), list_order),
    columns = CASE WHEN :set_columns THEN CAST(:columns AS text[]) ELSE columns END,
    updated_at = now()
WHERE workspace_id = :workspace_id AND id = :id
RETURNING {_COLUMNS}
""")
