"""SQL on the audit log: what it says, whether it is whole, exports, and retention."""

import json
import uuid
from collections.abc import Mapping, Sequence

from sqlalchemy import RowMapping, text
from sqlalchemy.ext.asyncio import AsyncSession

from app.platform.errors import Conflict

# Of the installation: pauses of judges, which serve all workspaces, and backups.
INSTALLATION = uuid.UUID(int=0)

_PAGE = text("""
SELECT position, at, actor, actor_id, via, origin, kind, action, subject, subject_id, row_count,
    before, after, encode(hash, 'hex') AS hash
FROM audit_events
WHERE workspace_id = :workspace_id AND position < COALESCE(:after, 9223372036854775807)
  AND (CAST(:kind AS text) IS NULL OR kind = :kind)
  AND (CAST(:actor AS text) IS NULL OR actor = :actor OR actor_id::text = :actor)
  AND (CAST(:since AS timestamptz) IS NULL OR at >= :since)
  AND (CAST(:until AS timestamptz) IS NULL OR at < :until)
ORDER BY position DESC LIMIT :limit
""")
# One statement, which sees the log at one moment. `missing` are ranges, both ends included, also of
# what only the head knows of. What follows a gap has nothing to be compared with. 100 of each.
_VERIFY = text("""
WITH head AS (
    SELECT COALESCE(h.position, 0) AS position, h.hash, h.anchor_hash,
        COALESCE(h.anchor_position, 0) AS anchor
    FROM (SELECT) one LEFT JOIN audit_heads h ON h.workspace_id = :workspace_id
), linked AS (
    SELECT e.position AS at, e.hash, lag(e.position, 1, head.anchor) OVER w + 1 AS due,
        audit_hash(lag(e.hash, 1, head.anchor_hash) OVER w, e) AS expected
    FROM audit_events e, head WHERE e.workspace_id = :workspace_id AND e.position IS NOT NULL
    WINDOW w AS (ORDER BY e.position)
), ends AS (
    SELECT COALESCE(at, anchor) AS last, linked.hash
    FROM head LEFT JOIN linked ON true ORDER BY at DESC NULLS LAST LIMIT 1
), gaps AS (
    SELECT due AS first, at - 1 AS last FROM linked WHERE at > due
    UNION ALL SELECT last + 1, position FROM ends, head WHERE position > last
)
SELECT head.position, encode(head.hash, 'hex') AS hash, head.anchor AS deleted_by_retention,
    (SELECT count(*) FROM linked) AS events,
    (SELECT encode(l.hash, 'hex') FROM linked l WHERE l.at = :noted) AS noted_hash,
    ARRAY(SELECT at FROM linked WHERE at = due AND linked.hash IS DISTINCT FROM expected
        ORDER BY at LIMIT 100) AS changed,
    ARRAY(SELECT ARRAY[first, gaps.last] FROM gaps ORDER BY first LIMIT 100) AS missing,
    ends.last > head.position
        OR ends.last = head.position AND ends.last > head.anchor
            AND ends.hash IS DISTINCT FROM head.hash
        OR EXISTS (SELECT FROM audit_events WHERE workspace_id = :workspace_id AND position IS NULL)
        AS head_differs
FROM head, ends
""")
_LET_TAKE_LONG = text("SET LOCAL statement_timeout = '5min'")
# One at a time for each workspace: connections are for all of them.
LOCK_VERIFYING = text(
    "SELECT pg_try_advisory_xact_lock(hashtextextended('audit_verification' || :workspace_id, 0))"
)
_RECORD = text("SELECT record_audit_event(:workspace_id, :kind, :subject, CAST(:detail AS jsonb))")
DELETE_OLD = b"SELECT delete_audit_events(%(days)s, %(limit)s)"
COUNT_OLD = b"SELECT count(*) FROM audit_events WHERE at < now() - make_interval(days => %(days)s)"


async def event_page(
    session: AsyncSession,
    workspace_id: uuid.UUID,
    filters: Mapping[str, object],
    *,
    after: int | None,
    limit: int,
) -> Sequence[RowMapping]:
    """Newest first, before the position `after`. filters: kind, actor (a name or the id of a
    token), since and until, None for any."""
    given = {"workspace_id": workspace_id, "after": after, "limit": limit, **filters}
    return (await session.execute(_PAGE, given)).mappings().all()


async def verify(
    session: AsyncSession, workspace_id: uuid.UUID, noted: int | None = None
) -> RowMapping:
    """What does not fit in the chain of a workspace, and its head. noted: the position of which
    `noted_hash` is wanted. Raises Conflict while it is computed already."""
    if not await session.scalar(LOCK_VERIFYING, {"workspace_id": str(workspace_id)}):
        raise Conflict.worded("audit-verification-runs")
    await session.execute(_LET_TAKE_LONG)
    found = await session.execute(_VERIFY, {"workspace_id": workspace_id, "noted": noted})
    return found.mappings().one()


async def record(
    session: AsyncSession,
    workspace_id: uuid.UUID,
    kind: str,
    subject: str,
    detail: Mapping[str, object],
) -> None:
    """An export or a backup, which changes no table; the caller commits."""
    given = {"workspace_id": workspace_id, "kind": kind, "subject": subject}
    written = json.dumps(detail, ensure_ascii=False, default=str)
    await session.execute(_RECORD, given | {"detail": written})
