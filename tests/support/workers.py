"""The workers of a database in the test's own process: jobs, judge and dispatcher."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import TypeVar

from app.platform.broker import Queue
from app.platform.db.pool import end_task
from app.platform.jobs.job import JobHandler
from app.quality.rejudging.job import rejudge
from app.quality.rejudging.service import REJUDGE_JOB
from verdict_world import World, settings
from worker.job_loop import JobLoop
from worker.judge_loop import JudgeLoop
from worker.loop_thread import IdLoop

TICK = 0.02
Loop = TypeVar("Loop", bound=IdLoop)
REJUDGING: Mapping[str, JobHandler] = {REJUDGE_JOB: rejudge}


@asynccontextmanager
async def started(loop: Loop) -> AsyncIterator[Loop]:
    """It runs meanwhile."""
    await asyncio.to_thread(loop.start)
    try:
        yield loop
    finally:
        await asyncio.to_thread(loop.close)


@asynccontextmanager
async def jobs_done(
    world: World, handlers: Mapping[str, JobHandler] = REJUDGING, **changes: object
) -> AsyncIterator[JobLoop]:
    """A process that does jobs; those that have answers judged again, where no others are given."""
    loop = JobLoop(settings(**changes), world.url, handlers, lambda _: None)
    await asyncio.to_thread(loop.start)

    async def look() -> None:
        while True:
            loop._call(loop._take_next())
            await asyncio.sleep(TICK)

    looking = asyncio.create_task(look())
    try:
        yield loop
    finally:
        looking.cancel()
        await asyncio.to_thread(loop.close)


@asynccontextmanager
async def judged(world: World, **changes: object) -> AsyncIterator[JudgeLoop]:
    """A process that judges whatever is due."""
    loop = JudgeLoop(settings(**changes), world.url)
    await asyncio.to_thread(loop.start)
    running: set[asyncio.Future[str]] = set()

    async def dispatch() -> None:
        while True:
            for queue in Queue:
                if ids := await world.lifecycle.take_due(queue, 100):
                    task = asyncio.wrap_future(loop.submit(ids))
                    running.add(task)
                    task.add_done_callback(running.discard)
            await asyncio.sleep(TICK)

    dispatching = asyncio.create_task(dispatch())
    try:
        yield loop
    finally:
        await end_task(dispatching)
        await asyncio.to_thread(loop.close)
        await asyncio.gather(*running, return_exceptions=True)
