"""`searchqa migrate`: the schema upgraded to the latest migration."""

import typer

from app.db import migrate as migrations
from app.errors import SetupError
from app.settings import get_settings


def migrate() -> None:
    """Migrate the database at DATABASE_URL to the latest schema.

    Safe to run from several machines at once. `searchqa up` runs it automatically.

    Example:

    DATABASE_URL=postgresql://searchqa@db/searchqa searchqa migrate
    """
    settings = get_settings()
    if not settings.database_url:
        raise SetupError(
            "Set DATABASE_URL to the database to migrate; `searchqa up` migrates its own."
        )
    migrations.migrate(settings.database_url)
    typer.echo("The database is at the latest migration.")
