"""The optional parts of requests that servers refuse, so that each is tried once."""

import asyncio
import logging
from collections.abc import Mapping
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

from app.platform.db.statements import load_sql

if TYPE_CHECKING:
    from app.platform.db.pool import Pool

logger = logging.getLogger(__name__)

Parts = frozenset[str]

# A server may be upgraded: after a week it is sent everything again.
KEPT_SECONDS = 7 * 86_400.0
_NONE: Parts = frozenset()


class _Known(NamedTuple):
    """until: of `monotonic`."""

    parts: Parts
    until: float


class PartsInDatabase:
    """Keeps refused parts for other processes. Raises nothing: they are found out anew."""

    def __init__(self, pool: "Pool") -> None:
        self._pool = pool

    async def load(self, server: str, model: str) -> Parts:
        rows = await self._run("load_refused_parts", {"server": server, "model": model})
        return frozenset(rows[0][0]) if rows else _NONE

    async def save(self, server: str, model: str, parts: Parts) -> None:
        given = {"server": server, "model": model, "parts": sorted(parts)}
        await self._run("save_refused_parts", given)

    async def _run(self, statement: str, given: Mapping[str, object]) -> list[tuple[list[str]]]:
        # Processes without a database import this module too.
        import psycopg

        sql = load_sql("app.ai_router", statement).encode()
        try:
            async with self._pool.connection() as connection:
                cursor = await connection.execute(sql, {**given, "seconds": KEPT_SECONDS})
                return await cursor.fetchall() if cursor.description else []
        except psycopg.Error as error:
            logger.warning("What model servers refuse is not shared now (%s)", error)
            return []


class RefusedParts:
    """What is known by server (its address) and model; for one event loop. store: shares it with
    other processes and with those after a restart."""

    def __init__(self, store: PartsInDatabase | None = None) -> None:
        self._store = store
        self._known: dict[tuple[str, str], _Known] = {}
        self._saving: set[asyncio.Task[None]] = set()

    async def read(self, server: str, model: str) -> Parts:
        """Reads the store if this process has no entry, or one older than KEPT_SECONDS."""
        key = (server, model)
        known = self._known.get(key)
        if known is None or known.until < monotonic():
            self._known.pop(key, None)
            # Joined with what other calls find out meanwhile.
            self._keep(key, await self._store.load(server, model) if self._store else _NONE)
        return self._known[key].parts

    def known(self, server: str, model: str) -> Parts:
        """The entries of this process, without reading the store."""
        return self._known.get((server, model), _Known(_NONE, 0)).parts

    def add(self, server: str, model: str, parts: Parts) -> None:
        """Keeps them, and has the store keep them in the background."""
        key = (server, model)
        if parts <= self.known(*key):
            return
        self._keep(key, parts)
        if self._store:
            saving = asyncio.create_task(self._store.save(server, model, parts))
            self._saving.add(saving)
            saving.add_done_callback(self._saving.discard)

    def _keep(self, key: tuple[str, str], parts: Parts) -> None:
        self._known[key] = _Known(parts | self.known(*key), monotonic() + KEPT_SECONDS)

    async def aclose(self) -> None:
        """Returns once all is saved."""
        await asyncio.gather(*self._saving)
