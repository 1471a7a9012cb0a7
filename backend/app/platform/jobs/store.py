"""Claims, heartbeats, endings and sweeps of jobs: each method is one guarded statement."""

import json
import uuid
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from app.platform.broker import Queue
from app.platform.db.pool import Pool, execute, fetch
from app.platform.db.statements import storable
from app.platform.ids import new_id
from app.platform.jobs.job import Job, JobCancelled, JobLost
from app.platform.jobs.status import JOBS_SQL, JobStatus
from app.platform.settings import Settings

# Jobs of one statement.
MAX_REAPED = 500
_ENQUEUE_EACH = JOBS_SQL("enqueue_each").encode()
_CLAIM = JOBS_SQL("claim", which="id = ANY(%(ids)s)").encode()
# A job that has killed two processes is taken only by ids, by the process for such jobs.
_CLAIM_NEXT = JOBS_SQL("claim", which="crashes < 2").encode()
_EXTEND = JOBS_SQL("extend").encode()
_SETTLE = JOBS_SQL("settle").encode()
_REAP = JOBS_SQL("reap").encode()
_TAKE_DUE = JOBS_SQL("take_due").encode()
_UNPUBLISH = JOBS_SQL("unpublish").encode()
COUNT_ENDED = JOBS_SQL("count_ended").encode()
DELETE_ENDED = JOBS_SQL("delete_ended").encode()


class JobStore:
    """Jobs as workers and dispatcher move them, over one psycopg pool. All times are seconds of
    the database clock.

    Statements may raise psycopg.Error; nothing is then changed and the call may be repeated.
    """

    def __init__(self, pool: Pool, settings: Settings) -> None:
        self._pool = pool
        self._settings = settings

    async def enqueue(
        self,
        workspace_ids: Sequence[uuid.UUID],
        kind: str,
        payload: Mapping[str, Any],
        dedupe_key: str,
    ) -> None:
        """One job for each workspace that has no unfinished one of this kind and key."""
        given = {
            "ids": [new_id() for _ in workspace_ids],
            "workspace_ids": list(workspace_ids),
            "kind": kind,
            "payload": json.dumps(dict(payload)),
            "dedupe_key": dedupe_key,
        }
        await execute(self._pool, _ENQUEUE_EACH, given)

    async def claim(
        self, ids: Sequence[uuid.UUID], kinds: Collection[str], limit: int
    ) -> list[Job]:
        """Takes up to `limit` of `ids` that are free and of these kinds; the others are somebody
        else's, done, or for a process with a handler of their kind."""
        return await self._claim(_CLAIM, kinds, limit, ids=list(ids))

    async def claim_next(self, kinds: Collection[str], limit: int) -> list[Job]:
        """Takes whatever is due of these kinds, but nothing that has killed two processes."""
        return await self._claim(_CLAIM_NEXT, kinds, limit)

    async def extend(self, job: Job, done: int | None = None, total: int | None = None) -> None:
        """The heartbeat: prolongs the lease and writes how far the job is. Raises JobCancelled,
        JobLost."""
        progress = {"done": done, "total": total, "lease": self._settings.worker.job_lease_seconds}
        rows = await fetch(self._pool, _EXTEND, _fence(job) | progress)
        extended, status = rows[0] if rows else (False, None)
        if not extended:
            raise JobCancelled if status == JobStatus.CANCELLED else JobLost

    async def finish(self, job: Job) -> bool:
        """This and the next four return False, having written nothing, when the job is not held
        any more."""
        return await self._settle(job, JobStatus.SUCCEEDED)

    async def fail(self, job: Job, error: str) -> bool:
        return await self._settle(job, JobStatus.FAILED, error=error)

    async def retry(self, job: Job, error: str, delay: float) -> bool:
        return await self._settle(job, JobStatus.RETRYING, error=error, tried=1, delay=delay)

    async def defer(self, job: Job, why: str, delay: float) -> bool:
        """Puts it off without counting a try."""
        return await self._settle(job, JobStatus.RETRYING, error=why, delay=delay)

    async def release(self, job: Job) -> bool:
        """Gives it back undone, because this process stops."""
        return await self._settle(job, JobStatus.QUEUED)

    async def reap(self) -> int:
        """Queues jobs again whose worker's lease has ended. Returns how many."""
        return len(await fetch(self._pool, _REAP, {"limit": MAX_REAPED}))

    async def take_due(self, queue: Queue, limit: int) -> list[uuid.UUID]:
        """Jobs of one queue that should be published now, stamped as published. Those that have
        killed two processes are of the isolated queue, all others of the bulk queue."""
        parameters = {
            "suspects": queue is Queue.ISOLATED,
            "limit": limit,
            "republish": self._settings.worker.republish_after_seconds,
        }
        return [row[0] for row in await fetch(self._pool, _TAKE_DUE, parameters)]

    async def unpublish(self, ids: Sequence[uuid.UUID]) -> None:
        """Takes the stamp back after a publish that failed, so that they are due at once."""
        await execute(self._pool, _UNPUBLISH, {"ids": list(ids)})

    async def _claim(
        self, query: bytes, kinds: Collection[str], limit: int, **more: object
    ) -> list[Job]:
        given = {
            "kinds": list(kinds),
            "limit": limit,
            "lease": self._settings.worker.job_lease_seconds,
        }
        return [Job(*row) for row in await fetch(self._pool, query, given | more)]

    async def _settle(
        self,
        job: Job,
        status: JobStatus,
        *,
        error: str | None = None,
        tried: int = 0,
        delay: float = 0,
    ) -> bool:
        # An error may quote what a model server sent.
        message = error and storable(error)
        values = {"status": status.value, "error": message, "tried": tried, "delay": delay}
        return bool(await fetch(self._pool, _SETTLE, _fence(job) | values))


def _fence(job: Job) -> dict[str, object]:
    return {"id": job.id, "attempt": job.attempt}
