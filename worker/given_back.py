"""Rows that a process had no room for, until it has."""

import asyncio
import logging
import uuid
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence

import psycopg

from worker.places import Group

logger = logging.getLogger(__name__)

# No more ids are remembered; the dispatcher publishes the rows of others again after
# SEARCHQA_REPUBLISH_AFTER.
MAX_REMEMBERED = 10_000

MakeDue = Callable[[Sequence[uuid.UUID]], Awaitable[None]]


class GivenBack:
    """Remembers ids whose messages have ended unjudged. The rows wait in PostgreSQL all the while;
    `make_due` has the dispatcher publish some of them at its next tick. A group's next `batch` is
    made due `interval` seconds after its last, which is then on its way, at the soonest."""

    def __init__(self, make_due: MakeDue, *, batch: int, interval: float) -> None:
        self._make_due = make_due
        self._batch = batch
        self._interval = interval
        self._groups: OrderedDict[Group, OrderedDict[uuid.UUID, None]] = OrderedDict()
        self._published_at: dict[Group, float] = {}
        self._timers: dict[Group, asyncio.TimerHandle] = {}
        self._count = 0
        self._running: set[asyncio.Task[None]] = set()

    def add(self, group: Group, id_: uuid.UUID) -> None:
        if self._count >= MAX_REMEMBERED:
            return
        ids = self._groups.setdefault(group, OrderedDict())
        self._count += id_ not in ids
        ids[id_] = None

    def next_group(self) -> Group | None:
        """Each of the groups in turn."""
        if not self._groups:
            return None
        group = next(iter(self._groups))
        self._groups.move_to_end(group)
        return group

    def publish(self, group: Group) -> None:
        """The oldest of a group, now or when it is time; returns at once."""
        loop = asyncio.get_running_loop()
        now = loop.time()
        soonest = self._published_at.get(group, 0) + self._interval
        if now < soonest:
            # By then the judge may be idle, and no answer that ends would ask again.
            if group not in self._timers:
                self._timers[group] = loop.call_at(soonest, self._publish_in_time, group)
            return
        ids = self._groups[group]
        batch = [ids.popitem(last=False)[0] for _ in range(min(self._batch, len(ids)))]
        self._count -= len(batch)
        self._published_at[group] = now
        if not ids:
            del self._groups[group], self._published_at[group]
        task = asyncio.create_task(self._publish(batch))
        self._running.add(task)
        task.add_done_callback(self._running.discard)

    def _publish_in_time(self, group: Group) -> None:
        del self._timers[group]
        if group in self._groups:
            self.publish(group)

    async def _publish(self, ids: Sequence[uuid.UUID]) -> None:
        try:
            await self._make_due(ids)
        except psycopg.Error as error:
            logger.warning("%d rows are published later (%s)", len(ids), error)
