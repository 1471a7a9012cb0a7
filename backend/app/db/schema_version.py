"""Whether the schema is that of the newest migration, without Alembic and the models: both are
slow to import."""

from importlib import resources

import psycopg

from app.db.pool import psycopg_url


def newest() -> str:
    """The number of the newest migration, with which the names of their files begin."""
    names = (entry.name for entry in resources.files("migrations.versions").iterdir())
    return max(name.partition("_")[0] for name in names if name[0].isdigit())


def is_newest(database_url: str) -> bool:
    """False also where it cannot be determined: `migrate` reports why."""
    try:
        with psycopg.connect(psycopg_url(database_url), connect_timeout=5) as connection:
            found = connection.execute("SELECT version_num FROM alembic_version").fetchall()
    except psycopg.Error:
        return False
    return found == [(newest(),)]
