"""`searchqa migrate`: the schema upgraded to the latest migration."""

import typer

from app.cli.language import translated
from app.platform.errors import SetupError
from app.platform.settings import get_settings


def migrate() -> None:
    """Migrate the database at DATABASE_URL to the latest schema.

    Safe to run from several machines at once. `searchqa up` runs it automatically.

    Example:

    DATABASE_URL=postgresql://searchqa@db/searchqa searchqa migrate
    """
    import psycopg

    from app.notes.embedding_queries import STORES_VECTORS
    from app.notes.vectors import NO_PGVECTOR
    from app.platform.db import migrate as migrations
    from app.platform.db.address import psycopg_url

    settings = get_settings()
    address = settings.database.session_url
    if not address:
        raise SetupError(
            translated(
                "Set DATABASE_URL to the database to migrate; `searchqa up` migrates its own.",
                "DATABASE_URL에 마이그레이션할 데이터베이스를 설정하세요. `searchqa up`은 직접"
                " 마이그레이션합니다.",
            )
        )
    migrations.migrate(address)
    if settings.embedding.model is not None:
        with psycopg.connect(psycopg_url(address)) as connection:
            if connection.execute(STORES_VECTORS).fetchone() == (False,):
                raise SetupError(NO_PGVECTOR)
    typer.echo(
        translated("The database is at the latest migration.", "데이터베이스가 최신 상태입니다.")
    )
