"""The job that puts doubted answers of a workspace into groups, and reports what recurs."""

import asyncio
import datetime as dt
import json
import logging
import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Row, text
from sqlalchemy.ext.asyncio import AsyncSession

from app.ai_router.jobs import ModelJobContext
from app.platform.db.pool import Pool, fetch
from app.platform.db.session import in_workspace
from app.platform.ids import new_id
from app.platform.jobs.job import Job
from app.platform.jobs.store import JobStore
from app.quality.failures.grouping import (
    MAX_NAME_CHARS,
    Groups,
    Statement,
    Topic,
    analysed_statements,
    is_older,
    name_of,
    signature,
)
from app.quality.failures.models import FAILURES_SQL

logger = logging.getLogger(__name__)

_UNGROUPED = FAILURES_SQL("ungrouped").encode()
_BEGIN = text(FAILURES_SQL("begin"))
_DOUBTED = text(FAILURES_SQL("doubted"))
_ADVANCE = text(FAILURES_SQL("advance"))
_GROUPS = text(FAILURES_SQL("groups"))
_ADD_GROUPS = text(FAILURES_SQL("add_groups"))
_ADD_ANSWERS = text(FAILURES_SQL("add_answers"))
_ALARM = text(FAILURES_SQL("alarm"))
_EVICT = text(FAILURES_SQL("evict"))
_YOUNG = text(FAILURES_SQL("young"))
_RENAME = text(FAILURES_SQL("rename"))
_RETURNED = text(FAILURES_SQL("returned"))
_REOPEN = text(FAILURES_SQL("reopen"))

GROUP_JOB = "group_failures"
# Events of one transaction; each verdict has about three.
BATCH = 200
# Of a workspace. Those that nobody has taken up give way to newer ones.
MAX_GROUPS = 2_000


async def start_grouping(pool: Pool, jobs: JobStore) -> bool:
    """Enqueues a job for each workspace with events that have not been looked at. Raises
    psycopg.Error."""
    rows = await fetch(pool, _UNGROUPED)
    if rows:
        await jobs.enqueue([row[0] for row in rows], GROUP_JOB, {}, GROUP_JOB)
    return False


async def group_failures(job: Job, context: ModelJobContext) -> None:
    """Goes on from the last event that was looked at, a batch at a time, until there is none."""
    async with context.writing() as session:
        await session.execute(_BEGIN, {"workspace_id": job.workspace_id})
    done, seen = 0, BATCH
    while seen == BATCH:
        seen = await _group_batch(job, context)
        done += seen
        await context.progress(done)


@dataclass(frozen=True, slots=True)
class _Doubted:
    """A doubted statement of a verdict."""

    row: Row[Any]
    statement: Statement

    @property
    def topic(self) -> Topic:
        return Topic(self.row.fault, str(self.row.note_id or self.row.title or ""))


async def _group_batch(job: Job, context: ModelJobContext) -> int:
    """Returns how many events it has looked at; 0 also where another job was first."""
    here = {"workspace_id": job.workspace_id}
    async with in_workspace(context.sessions, job.workspace_id) as session:
        rows = (await session.execute(_DOUBTED, here | {"limit": BATCH})).all()
    if not rows:
        return 0
    found = [row for row in rows if row.evaluation_id]
    statements = await asyncio.to_thread(analysed_statements, [row.text for row in found])
    doubted = [_Doubted(*pair) for pair in zip(found, statements, strict=True)]
    async with context.writing() as session:
        last = {"xid": rows[-1].xid, "event_id": rows[-1].event_id}
        began_at = await session.scalar(_ADVANCE, here | last)
        if began_at is None:
            return 0
        if doubted:
            await _store(session, job.workspace_id, doubted, began_at)
    return len({row.event_id for row in rows})


async def _store(
    session: AsyncSession,
    workspace_id: uuid.UUID,
    doubted: Sequence[_Doubted],
    began_at: dt.datetime,
) -> None:
    here = {"workspace_id": workspace_id}
    groups = Groups()
    for row in await session.execute(_GROUPS, here):
        keys = [key for key in (row.note_id, row.note_title) if key] or [""]
        topics = [Topic(row.fault, str(key)) for key in keys]
        groups.add(row.id, row.signature, topics, row.terms)
    founded, answers = await asyncio.to_thread(_assigned, groups, doubted)
    await session.execute(_ADD_GROUPS, here | {"rows": _json(founded)})
    added = await session.scalars(_ADD_ANSWERS, here | {"rows": _json(answers)})
    verdicts = [each["evaluation_id"] for each in answers]
    touched = here | {"ids": list(added.all()), "evaluation_ids": verdicts, "began_at": began_at}
    await _rename(session, touched)
    await _reopen(session, touched)
    await session.execute(_ALARM, touched)
    await session.execute(_EVICT, here | {"most": MAX_GROUPS})


def _assigned(
    groups: Groups, doubted: Iterable[_Doubted]
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """New groups, and answers of all groups, as the statements take them. Blocks where thousands of
    groups have words in common."""
    founded: list[dict[str, Any]] = []
    answers: list[dict[str, Any]] = []
    for each in doubted:
        id_ = groups.nearest(each.topic, each.statement.terms)
        if id_ is None:
            new = _founded(each)
            founded.append(new)
            id_ = new["id"]
            groups.add(id_, new["signature"], [each.topic], new["terms"])
        row = each.row
        answer = {"evaluation_id": row.evaluation_id, "claim_position": row.claim_position}
        answers.append({"failure_id": id_, "answered_at": row.answered_at, **answer})
    return founded, answers


def _founded(doubted: _Doubted) -> dict[str, Any]:
    row, statement = doubted.row, doubted.statement
    return {
        "id": new_id(),
        "signature": signature(doubted.topic, statement.terms),
        "fault": row.fault,
        "note_id": row.note_id,
        "note_title": row.title,
        "terms": list(statement.terms),
        "name": name_of([statement]) or row.text[:MAX_NAME_CHARS],
        "seen_at": row.answered_at,
    }


def _json(rows: Sequence[dict[str, Any]]) -> str:
    return json.dumps(rows, default=str)


async def _rename(session: AsyncSession, touched: dict[str, Any]) -> None:
    """Groups that are still small, by what all their statements have in common."""
    rows = (await session.execute(_YOUNG, touched)).all()
    statements = await asyncio.to_thread(analysed_statements, [row.text for row in rows])
    by_group: dict[uuid.UUID, list[Statement]] = {}
    for row, statement in zip(rows, statements, strict=True):
        by_group.setdefault(row.failure_id, []).append(statement)
    named = [{"id": id_, "name": name_of(each)} for id_, each in by_group.items()]
    changes = _json([each for each in named if each["name"]])
    await session.execute(_RENAME, touched | {"rows": changes})


async def _reopen(session: AsyncSession, touched: dict[str, Any]) -> None:
    """Groups that were mended and have an answer since, of a release that is not older."""
    reopened: set[uuid.UUID] = set()
    for row in (await session.execute(_RETURNED, touched)).all():
        if row.failure_id in reopened or is_older(
            row.app_version, row.mended_in, row.first_seen, row.mended_seen or row.mended_at
        ):
            continue
        reopened.add(row.failure_id)
        given = {"id": row.failure_id, "mended_at": row.mended_at, "reopened_in": row.app_version}
        await session.execute(_REOPEN, touched | given)
    if reopened:
        logger.warning("%d failures came back after they had been mended", len(reopened))
