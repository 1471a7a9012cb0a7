"""Jobs for the rest of the product: enqueue, look up, cancel."""

import datetime as dt
import json
import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from app.platform.db.owned_queries import Listed
from app.platform.ids import new_id
from app.platform.jobs.status import JOBS_SQL, JobStatus

_ENQUEUE = text(JOBS_SQL("enqueue"))
_UNFINISHED_LIKE_IT = text(JOBS_SQL("unfinished_like_it"))
_VIEW = text(JOBS_SQL("view"))
_VIEW_PAGE = text(JOBS_SQL("view_page"))
_CANCEL = text(JOBS_SQL("cancel"))
_CANCEL_ALL = text(JOBS_SQL("cancel_all"))
_WAKE_DEFERRED = text(JOBS_SQL("wake_deferred"))
_STATE = text(JOBS_SQL("state"))
_MERGE_STATE = text(JOBS_SQL("merge_state"))


class JobView(Listed):
    """A job as readers get it. `done` of `total` units of its kind; `total` is null while it is
    not known. `error` is that of the last attempt."""

    kind: str
    payload: dict[str, Any]
    status: JobStatus
    attempt: int
    done: int
    total: int | None
    error: str | None
    created_at: dt.datetime
    started_at: dt.datetime | None
    finished_at: dt.datetime | None
    next_attempt_at: dt.datetime | None


async def enqueue(
    session: AsyncSession,
    workspace_id: uuid.UUID,
    kind: str,
    payload: Mapping[str, Any],
    dedupe_key: str | None = None,
) -> uuid.UUID:
    """Puts a job in with the caller's transaction; the dispatcher finds it after the commit.

    payload: ids and options, never content. dedupe_key names work that would only be repeated:
    while a job of that kind and key is unfinished, its id is returned and nothing is enqueued. That
    job may be running already, so the key must name what it works on, a note's version and not
    the note.
    """
    given = {"workspace_id": workspace_id, "kind": kind, "dedupe_key": dedupe_key}
    new = {"id": new_id(), "payload": json.dumps(dict(payload))}
    while True:
        id_: uuid.UUID | None = await session.scalar(_ENQUEUE, given | new)
        if id_ is None:
            id_ = await session.scalar(_UNFINISHED_LIKE_IT, given)
        # None: the one that was in the way has ended between the two statements.
        if id_ is not None:
            return id_


async def enqueue_all(
    session: AsyncSession, workspace_id: uuid.UUID, kind: str, payloads: Sequence[Mapping[str, Any]]
) -> None:
    """The same for many jobs, none of which is there yet, in one round trip."""
    rows = [
        {
            "id": new_id(),
            "workspace_id": workspace_id,
            "kind": kind,
            "payload": json.dumps(dict(payload)),
            "dedupe_key": None,
        }
        for payload in payloads
    ]
    await session.execute(_ENQUEUE, rows)


async def job_view(
    session: AsyncSession, workspace_id: uuid.UUID, job_id: uuid.UUID
) -> JobView | None:
    rows = await session.execute(_VIEW, {"workspace_id": workspace_id, "id": job_id})
    row = rows.mappings().one_or_none()
    return JobView.model_validate(dict(row)) if row else None


async def job_page(
    session: AsyncSession,
    workspace_id: uuid.UUID,
    *,
    status: JobStatus | None,
    kind: str | None,
    after: uuid.UUID | None,
    limit: int,
) -> list[JobView]:
    """Newest first; `after` is the id of the last one seen."""
    given = {"status": status and status.value, "kind": kind, "after": after, "limit": limit}
    rows = await session.execute(_VIEW_PAGE, {"workspace_id": workspace_id} | given)
    return [JobView.model_validate(dict(row)) for row in rows.mappings()]


async def job_state(
    session: AsyncSession, workspace_id: uuid.UUID, job_id: uuid.UUID
) -> Mapping[str, Any]:
    """What the handler has noted to resume from."""
    given = {"workspace_id": workspace_id, "id": job_id}
    return await session.scalar(_STATE, given) or {}


async def merge_job_state(
    session: AsyncSession, job_id: uuid.UUID, state: Mapping[str, Any]
) -> None:
    await session.execute(_MERGE_STATE, {"id": job_id, "state": json.dumps(dict(state))})


async def cancel(session: AsyncSession, workspace_id: uuid.UUID, job_id: uuid.UUID) -> None:
    """Ends a job that is unfinished; a worker that is at it stops at its next heartbeat. Changes
    nothing else."""
    await session.execute(_CANCEL, {"workspace_id": workspace_id, "id": job_id})


async def cancel_all(
    session: AsyncSession, workspace_id: uuid.UUID, kind: str, payload: Mapping[str, Any]
) -> None:
    """The same for every job of that kind whose payload contains `payload`."""
    given = {"workspace_id": workspace_id, "kind": kind, "payload": json.dumps(dict(payload))}
    await session.execute(_CANCEL_ALL, given)


async def wake_deferred(
    session: AsyncSession, workspace_id: uuid.UUID, reasons: Sequence[str]
) -> None:
    """Makes the jobs due that were put off for one of `reasons` (`Deferred.reason`)."""
    given = {"workspace_id": workspace_id, "reasons": list(reasons)}
    await session.execute(_WAKE_DEFERRED, given)
