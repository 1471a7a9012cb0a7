"""A worker with one more kind of job: `count` adds a notebook for
each number up to `payload["to"]`, goes on where an earlier attempt has ended, and waits at
`payload["wait_at"]` until there is a notebook called `go on`."""

import asyncio
import sys

from sqlalchemy import text

from app.ai_router.jobs import ModelJobContext
from app.platform.ids import new_id
from app.platform.jobs.job import Job
from worker.__main__ import main
from worker.jobs import HANDLERS

_COUNTED = text("SELECT count(*) FROM notebooks WHERE workspace_id = :ws AND name <> 'go on'")
_GO_ON = text("SELECT count(*) FROM notebooks WHERE workspace_id = :ws AND name = 'go on'")
_ADD = text("INSERT INTO notebooks (id, workspace_id, name) VALUES (:id, :ws, :name)")


async def count(job: Job, context: ModelJobContext) -> None:
    to, wait_at = job.payload["to"], job.payload["wait_at"]
    here = {"ws": job.workspace_id}
    async with context.sessions() as session:
        done: int = await session.scalar(_COUNTED, here)
    while done < to:
        async with context.writing() as session:
            await session.execute(_ADD, here | {"id": new_id(), "name": str(done + 1)})
        done += 1
        await context.progress(done, to)
        while done == wait_at and not await is_released(context):  # noqa: ASYNC110  by the test
            await asyncio.sleep(0.05)


async def is_released(context: ModelJobContext) -> bool:
    async with context.sessions() as session:
        return bool(await session.scalar(_GO_ON, {"ws": context.job.workspace_id}))


HANDLERS["count"] = count

if __name__ == "__main__":
    sys.exit(main())
