"""LISTEN, for as long as a process lives."""

import asyncio
import logging
from collections.abc import AsyncGenerator

import psycopg
from psycopg import sql

from app.platform.db.pool import Pool

logger = logging.getLogger(__name__)

_RECONNECT_SECONDS = 1.0


async def notifications(
    pool: Pool, channel: str, *, look_every: float
) -> AsyncGenerator[str | None]:
    """Payloads of a channel, without end. None whenever one may have been missed: at the start,
    after a broken connection, and `look_every` seconds after the last look.

    Holds one connection of the pool. A PostgreSQL that is away is waited for.
    """
    while True:
        try:
            async with pool.connection() as connection:
                await connection.execute(sql.SQL("LISTEN {}").format(sql.Identifier(channel)))
                try:
                    while True:
                        yield None
                        async for notice in connection.notifies(timeout=look_every):
                            yield notice.payload
                finally:
                    if not connection.closed:
                        await connection.execute("UNLISTEN *")
        except (psycopg.Error, OSError) as error:
            logger.warning("Not notified on %s (%s); connecting again", channel, error)
        except Exception:
            logger.exception("Not notified on %s; connecting again", channel)
        await asyncio.sleep(_RECONNECT_SECONDS)
