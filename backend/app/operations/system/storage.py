"""What the database holds, and the versions of its schema and server."""

from dataclasses import dataclass

from app.operations.system import queries
from app.platform.db.pool import Pool, fetch

MAX_TABLES = 15


@dataclass(frozen=True, slots=True)
class TableSize:
    """total_bytes: with indexes and large values. estimated_rows: by the last ANALYZE. parts: 0
    where it is not partitioned."""

    name: str
    total_bytes: int
    index_bytes: int
    estimated_rows: int
    parts: int


@dataclass(frozen=True, slots=True)
class Database:
    """schema: the last migration. tables: the largest, at most MAX_TABLES."""

    total_bytes: int
    server_version: str
    schema: str
    tables: list[TableSize]


async def read_database(pool: Pool) -> Database:
    """Raises psycopg.Error."""
    ((total, server, schema),) = await fetch(pool, queries.DATABASE)
    rows = await fetch(pool, queries.TABLES, {"limit": MAX_TABLES})
    return Database(total, server, schema, [TableSize(*row) for row in rows])
