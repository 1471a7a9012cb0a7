"""The embedded PostgreSQL without the rest of the stack, for a command that needs it while no stack
runs."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

from anyio.from_thread import start_blocking_portal

from app.operations.embedded.data_dir import hold
from app.operations.embedded.postgres import EmbeddedPostgres
from app.operations.embedded.supervisor import Supervisor


@contextlib.contextmanager
def database_alone(data_dir: Path) -> Iterator[str]:
    """The address of the data folder's database, which is made if there is none, with the folder
    held. Raises SetupError: the folder is in use, or PostgreSQL cannot start."""
    with hold(data_dir), server_alone(EmbeddedPostgres(data_dir)) as address:
        yield address


@contextlib.contextmanager
def server_alone(server: EmbeddedPostgres) -> Iterator[str]:
    """The address of the server's database. The caller holds the data folder. Raises SetupError."""
    with (
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(_running(server)) as address,
    ):
        yield address


@contextlib.asynccontextmanager
async def _running(server: EmbeddedPostgres) -> AsyncIterator[str]:
    await server.prepare()
    supervisor = Supervisor(lambda *_: None)
    try:
        await supervisor.start([server.part()])
        await server.create_database()
        yield server.database_url
    finally:
        # Also when the caller was interrupted: the server must not outlive it.
        await asyncio.shield(supervisor.stop())
