"""Whether the schema is that of the newest migration, without Alembic and the models: both are
slow to import."""

from importlib import resources

import psycopg

from app.platform.db.address import psycopg_url

_MADE = "SELECT to_regclass('public.alembic_version')"
# Without a row also where vectors are not stored yet and could be: see migrations/vectors.py.
_MIGRATED = """
SELECT version_num FROM alembic_version
WHERE NOT EXISTS (
    SELECT FROM pg_attribute
    WHERE attrelid = to_regclass('public.note_embeddings') AND attname = 'embedding'
      AND atttypid = 'text'::regtype
  ) OR NOT EXISTS (SELECT FROM pg_available_extensions WHERE name = 'vector')
"""


def newest() -> str:
    """The number of the newest migration, with which the names of their files begin."""
    names = (entry.name for entry in resources.files("migrations.versions").iterdir())
    return max(name.partition("_")[0] for name in names if name[0].isdigit())


def is_newest(database_url: str) -> bool:
    """False also where it cannot be determined: `migrate` reports why."""
    try:
        with psycopg.connect(psycopg_url(database_url), connect_timeout=5) as connection:
            # Looked up before: a table that is not there would be an error in the server's log.
            (made,) = connection.execute(_MADE).fetchone() or (None,)
            found = connection.execute(_MIGRATED).fetchall() if made else []
    except psycopg.Error:
        return False
    return found == [(newest(),)]
