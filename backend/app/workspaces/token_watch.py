"""Ends what a token opened when the token itself ends."""

import asyncio
import logging
import uuid
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import aclosing, contextmanager

import psycopg

from app.platform.db.pool import Pool, end_task, notifications
from app.workspaces import queries

logger = logging.getLogger(__name__)

# Expiry is not notified, and a notification may be lost: tokens are looked at this often.
LOOK_SECONDS = 10.0


class TokenWatch:
    """Knows the tokens of this process's open streams.

    A stream ends at once when its token is revoked, and within LOOK_SECONDS when the token
    has expired or the notification was lost.
    """

    def __init__(self, pool: Pool, listening: Pool | None = None) -> None:
        """listening: where one connection listens; by default it is one of the pool."""
        self._pool = pool
        self._listening = listening or pool
        # By the token's id as a notification writes it.
        self._on_end: defaultdict[str, list[Callable[[], None]]] = defaultdict(list)
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._task = asyncio.create_task(self._run())

    async def stop(self) -> None:
        if self._task:
            await end_task(self._task)

    @contextmanager
    def watching(self, token_id: uuid.UUID | None, on_end: Callable[[], None]) -> Iterator[None]:
        """Calls `on_end` if the token ends meanwhile; None stands for no token and never ends."""
        if token_id is None:
            yield
            return
        key = str(token_id)
        self._on_end[key].append(on_end)
        try:
            yield
        finally:
            self._on_end[key].remove(on_end)
            if not self._on_end[key]:
                del self._on_end[key]

    async def _run(self) -> None:
        channel = queries.TOKENS_CHANNEL
        async with aclosing(
            notifications(self._listening, channel, look_every=LOOK_SECONDS)
        ) as payloads:
            async for token_id in payloads:
                if token_id is None:
                    await self._look()
                else:
                    self._end(token_id)

    async def _look(self) -> None:
        if not self._on_end:
            return
        try:
            async with self._pool.connection() as connection:
                cursor = await connection.execute(queries.ENDED_TOKENS, {"ids": list(self._on_end)})
                for (token_id,) in await cursor.fetchall():
                    self._end(str(token_id))
        except (psycopg.Error, OSError) as error:
            logger.warning("Tokens of open streams cannot be looked at (%s)", error)

    def _end(self, token_id: str) -> None:
        # A copy: a callback may remove itself.
        for on_end in list(self._on_end.get(token_id, ())):
            on_end()
