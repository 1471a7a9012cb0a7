"""Loads the verdict of an event once for all its readers.

The hub wakes every reader of a workspace at once. Five hundred of them asking for the same row
would queue for connections that answers need.
"""

import asyncio

from app.platform.db.pool import Pool, end_task
from app.verdicts.reading.events import Cursor, VerdictEvent
from app.verdicts.reading.views import EvaluationView, view_of

# Readers of one event come one after the other, because each writes to its connection first.
KEPT_SECONDS = 1.0


class SharedViews:
    """Verdicts as they stood when their event was first asked for."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._loads: dict[Cursor, asyncio.Task[EvaluationView | None]] = {}

    async def at(self, event: VerdictEvent) -> EvaluationView | None:
        """The verdict that the event is about, at the event or up to KEPT_SECONDS ago; None when
        it was deleted. Raises what the database raises."""
        loading = self._loads.get(event.cursor)
        if loading is None:
            loading = asyncio.create_task(self._load(event))
            loading.add_done_callback(_retrieve_error)
            self._loads[event.cursor] = loading
        # A reader that leaves does not cancel the load for the others.
        return await asyncio.shield(loading)

    async def stop(self) -> None:
        """Cancels the loads whose readers have left: a connection returned after the pool is
        closed would leak."""
        for loading in list(self._loads.values()):
            await end_task(loading)

    async def _load(self, event: VerdictEvent) -> EvaluationView | None:
        try:
            view = await view_of(self._pool, event.workspace_id, event.evaluation_id)
        except BaseException:
            del self._loads[event.cursor]
            raise
        asyncio.get_running_loop().call_later(KEPT_SECONDS, self._loads.pop, event.cursor)
        return view


def _retrieve_error(loading: asyncio.Task[EvaluationView | None]) -> None:
    """Whose readers have all left raises to nobody."""
    if not loading.cancelled():
        loading.exception()
