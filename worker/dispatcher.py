"""Finds what is due in PostgreSQL and wakes the workers. Two or more may run."""

import asyncio
import logging
import signal
import sys
import uuid
from contextlib import suppress

import psycopg
from psycopg_pool import PoolTimeout

from app.broker import Publisher, PublishError, Queue
from app.db.session import create_pool
from app.errors import SetupError
from app.logs import configure_logging
from app.settings import Settings, get_settings
from app.verdicts.lifecycle import VerdictLifecycle

logger = logging.getLogger("worker.dispatcher")

# Beyond this many unfetched messages a queue is full: publishing more would only repeat ids.
LONGEST_QUEUE = 500
ROWS_PER_TICK = 2000


class Dispatcher:
    """Each tick: take rows back from dead workers, let paused judges be tried, publish.

    Faults of Redis or PostgreSQL are logged and the next tick tries again.
    """

    def __init__(self, lifecycle: VerdictLifecycle, publisher: Publisher, settings: Settings):
        self._lifecycle = lifecycle
        self._publisher = publisher
        self._interval = settings.dispatch_interval
        self._batch = settings.dispatch_batch

    async def run(self, stopping: asyncio.Event) -> None:
        """Ticks until `stopping` is set."""
        while not stopping.is_set():
            published = 0
            try:
                published = await self.tick()
            except PublishError as error:
                logger.warning("%s; rows stay due", error)
            except (psycopg.Error, PoolTimeout) as error:
                logger.warning("PostgreSQL cannot be asked (%s); trying again", error)
            # A full tick means a backlog: go on at once.
            pause = 0.01 if published >= ROWS_PER_TICK else self._interval
            with suppress(TimeoutError):
                async with asyncio.timeout(pause):
                    await stopping.wait()

    async def tick(self) -> int:
        """One sweep. Returns how many ids were published. Raises PublishError, psycopg.Error."""
        reaped = await self._lifecycle.reap()
        if reaped:
            logger.warning("Took back %d evaluations from workers that died or hung", reaped)
        await self._lifecycle.probe_paused()
        return sum([await self._publish_due(queue) for queue in Queue])

    async def _publish_due(self, queue: Queue) -> int:
        waiting = await asyncio.to_thread(self._publisher.waiting, queue)
        room = LONGEST_QUEUE - waiting
        if room <= 0:
            return 0
        batch = 1 if queue is Queue.ISOLATED else self._batch
        ids = await self._lifecycle.take_due(queue, min(ROWS_PER_TICK, room * batch))
        for start in range(0, len(ids), batch):
            await self._publish(queue, ids[start : start + batch], ids[start:])
        return len(ids)

    async def _publish(
        self, queue: Queue, batch: list[uuid.UUID], unpublished: list[uuid.UUID]
    ) -> None:
        try:
            await asyncio.to_thread(self._publisher.publish, queue, batch)
        except PublishError:
            await self._lifecycle.unpublish(unpublished)
            raise


async def _main(settings: Settings, database_url: str, redis_url: str) -> None:
    stopping = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stopping.set)
    publisher = Publisher(redis_url, settings)
    async with create_pool(database_url, max_size=2) as pool:
        logger.info("Dispatching every %g s", settings.dispatch_interval)
        await Dispatcher(VerdictLifecycle(pool, settings), publisher, settings).run(stopping)
    publisher.close()


def main() -> int:
    try:
        settings = get_settings()
        configure_logging(settings.log_level)
        if not settings.database_url or not settings.redis_url:
            raise SetupError(
                "Set DATABASE_URL and REDIS_URL for the dispatcher, or run `searchqa up`."
            )
        asyncio.run(_main(settings, settings.database_url, settings.redis_url))
    except SetupError as error:
        sys.stderr.write(f"dispatcher: {error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
