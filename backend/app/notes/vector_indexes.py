"""Indexes of vectors: one for each large workspace, made while it is searched.

A workspace with few vectors has none, because comparing all of them is quick and exact. An index
holds signs of the vectors of one workspace, model and number of dimensions, so a search never
filters by workspace, and an index costs only whoever has it. It is a plain index of the table: what
is stored, changed or deleted is right in it at once. The signs are those of a vector's difference
from the mean when the index was made: vectors of many models share a direction, and by their own
signs they are all alike (Mu and Viswanath, 2018).
"""

import enum
import logging
import time
import uuid
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from hashlib import md5

from psycopg import AsyncConnection, sql
from psycopg.errors import DiskFull, ProgramLimitExceeded

from app.platform.db.address import psycopg_url
from app.platform.db.pool import CONNECT_ARGS, Connection
from app.platform.db.statements import SqlFile, in_list
from app.platform.jobs.status import UNFINISHED

logger = logging.getLogger(__name__)

_SQL = SqlFile(__package__, "vector_indexes", unfinished=in_list(UNFINISHED))
TRIED = _SQL("tried").encode()
_DROP = sql.SQL("DROP INDEX CONCURRENTLY IF EXISTS {name}")
# Signs are enough to find some hundred that are near.
_CREATE = sql.SQL("""
CREATE INDEX CONCURRENTLY {name} ON note_embeddings
USING hnsw ((binary_quantize({vector})::bit({dimensions})) bit_hamming_ops)
WHERE workspace_id = {workspace_id} AND model = {model} AND dimensions = {dimensions}
""")
_VECTOR, _CENTRED = sql.SQL("embedding"), sql.SQL("embedding - {mean}::vector")
# What an index takes while it is made, in bytes: the signs of a vector, one bit each, and its
# neighbours. Measured with 1,024 numbers a vector.
_NEIGHBOURS = 1_000
# Beyond it pgvector goes on with the index on disk, more slowly.
_MAX_MEMORY = 2 * 2**30

_PREFIX = "note_embeddings_near_"
# Candidates by signs that are compared by their vectors, and for how many dimensions; vectors of
# fewer have fewer signs, which order them less well.
_CANDIDATES = 400
_OF_DIMENSIONS = 1_024
_MAX_CANDIDATES = 1_000


class Obstacle(enum.StrEnum):
    """What keeps a user or server from making indexes. `not_owner`: the user does not own the
    tables. `old_pgvector`: the server's is older than 0.8."""

    NOT_OWNER = "not_owner"
    OLD_PGVECTOR = "old_pgvector"


@dataclass(frozen=True, slots=True)
class VectorSet:
    """The vectors of a workspace by one model, all of as many dimensions."""

    workspace_id: uuid.UUID
    model: str
    dimensions: int

    @property
    def index_name(self) -> str:
        named = f"{self.workspace_id} {self.dimensions} {self.model}"
        return _PREFIX + md5(named.encode(), usedforsecurity=False).hexdigest()

    @property
    def candidates(self) -> int:
        """How many of the nearest by signs are compared by their vectors."""
        wanted = _CANDIDATES * _OF_DIMENSIONS // self.dimensions
        return min(max(wanted, _CANDIDATES), _MAX_CANDIDATES)


@dataclass(frozen=True, slots=True)
class VectorIndex:
    """What a large workspace has. ready: whether an index serves its searches; bytes: its size, 0
    where there is none."""

    of: VectorSet
    ready: bool
    bytes: int


@dataclass(frozen=True, slots=True)
class Unindexed:
    """How many large workspaces have no index, and what keeps their indexes from being made; None
    where a job makes them."""

    workspaces: int
    obstacle: Obstacle | None


async def obstacle(connection: Connection) -> Obstacle | None:
    """None where this user and server may make indexes. Raises psycopg.Error."""
    row = await (await connection.execute(_SQL("ability").encode())).fetchone()
    owner, recent = row or (False, False)
    if not recent:
        return Obstacle.OLD_PGVECTOR
    return None if owner else Obstacle.NOT_OWNER


async def large_workspaces(connection: Connection, model: str, at_least: int) -> list[VectorIndex]:
    """Of all workspaces with so many vectors of the model. Raises psycopg.Error."""
    sets = await _large_sets(connection, model, at_least)
    made = await _made(connection)
    return [VectorIndex(each, *made.get(each.index_name, (False, 0))) for each in sets]


async def drop_unused(connection: Connection, model: str, at_least: int) -> int:
    """Drops the indexes of workspaces that have shrunk to half of the bound, and those of other
    models. Returns how many. Raises psycopg.Error."""
    used = {each.index_name for each in await _large_sets(connection, model, (at_least + 1) // 2)}
    unused = sorted(set(await _made(connection)) - used)
    for name in unused:
        await connection.execute(_DROP.format(name=sql.Identifier(name)))
    return len(unused)


@asynccontextmanager
async def maker(address: str) -> AsyncIterator[Connection]:
    """A session to make indexes with. Raises psycopg.Error."""
    url = psycopg_url(address)
    async with await AsyncConnection.connect(url, autocommit=True, **CONNECT_ARGS) as connection:  # type: ignore[arg-type]  # options by name
        await connection.execute(_SQL("session").encode())
        yield connection


async def make_index(connection: Connection, of: VectorSet) -> bool:
    """True once there is one; False, having done nothing, while another session makes one.
    connection: of `maker`, and the tables' owner's. Raises psycopg.Error."""
    row = await (await connection.execute(_SQL("alone").encode())).fetchone()
    if row != (True,):
        return False
    made = await _made(connection)
    if made.get(of.index_name, (False, 0))[0]:
        return True
    given = {"workspace_id": of.workspace_id, "model": of.model, "dimensions": of.dimensions}
    [(vectors, mean)] = await (await connection.execute(_SQL("mean").encode(), given)).fetchall()
    memory = {"kilobytes": _kilobytes(vectors, of.dimensions)}
    await connection.execute(_SQL("memory").encode(), memory)
    began = time.monotonic()
    try:
        await _create(connection, of, mean)
    except DiskFull as error:
        # Workers of one build share memory, of which containers often have little.
        logger.warning("The index of vectors is made by one process: %s", error)
        await connection.execute(_SQL("serially").encode())
        await _create(connection, of, mean)
    seconds = time.monotonic() - began
    logger.info("Indexed %d vectors of workspace %s in %.0f s", vectors, of.workspace_id, seconds)
    return True


def _kilobytes(vectors: int, dimensions: int) -> int:
    """Of memory to make an index in."""
    return min(_MAX_MEMORY, 2**26 + vectors * (_NEIGHBOURS + dimensions // 8)) // 1024


async def _create(connection: Connection, of: VectorSet, mean: str | None) -> None:
    """mean: of the vectors, None if there are none."""
    try:
        centred = _VECTOR if mean is None else _CENTRED.format(mean=sql.Literal(mean))
        await _create_of(connection, of, centred)
    except ProgramLimitExceeded:
        # Before PostgreSQL 18 the definition of an index has a page at most.
        await _create_of(connection, of, _VECTOR)


async def _create_of(connection: Connection, of: VectorSet, vector: sql.Composable) -> None:
    name = sql.Identifier(of.index_name)
    # One that was broken off is invalid, and stays in the way.
    await connection.execute(_DROP.format(name=name))
    create = _CREATE.format(
        name=name,
        vector=vector,
        workspace_id=sql.Literal(of.workspace_id),
        model=sql.Literal(of.model),
        dimensions=sql.Literal(of.dimensions),
    )
    await connection.execute(create)


async def _large_sets(connection: Connection, model: str, at_least: int) -> Iterable[VectorSet]:
    given = {"model": model, "at_least": at_least}
    rows = await (await connection.execute(_SQL("large").encode(), given)).fetchall()
    return [VectorSet(workspace_id, model, dimensions) for workspace_id, dimensions in rows]


async def _made(connection: Connection) -> dict[str, tuple[bool, int]]:
    """By name: whether it is ready, and its bytes."""
    rows = await connection.execute(_SQL("indexes").encode(), {"prefix": _PREFIX})
    return {name: (ready, size) for name, ready, size in await rows.fetchall()}
