"""Tables that are away."""

import asyncio
from typing import Self

import psycopg

from verdict_world import World

PATIENCE = 60


class Absence:
    """A table that is away: whoever waits for it can be cut off."""

    def __init__(self, world: World, table: str) -> None:
        self._world = world
        self._table = table

    async def __aenter__(self) -> Self:
        self._holder = await psycopg.AsyncConnection.connect(self._world.url)
        await self._holder.execute(f"LOCK TABLE {self._table} IN ACCESS EXCLUSIVE MODE".encode())
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._holder.close()

    async def is_felt(self) -> None:
        """Returns once somebody waits for the table."""
        await self._about_waiting("SELECT pid")

    async def cut_off(self) -> None:
        """Ends the connections that wait for the table, once there are some."""
        await self._about_waiting("SELECT pg_terminate_backend(pid)")

    async def _about_waiting(self, select: str) -> None:
        query = (
            f"{select} FROM pg_stat_activity "
            "WHERE datname = current_database() AND wait_event_type = 'Lock'"
        )
        async with asyncio.timeout(PATIENCE):
            while not await self._world.rows(query):  # noqa: ASYNC110  another program
                await asyncio.sleep(0.01)
