"""SQL on the policies of workspaces and on their daily budget."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from sqlalchemy import Select, func, select, text
from sqlalchemy.dialects.postgresql import Insert, insert
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.sql.dml import ReturningInsert

from app.notes.models import Notebook
from app.platform.db.statements import in_list
from app.verdicts.models.policy import EvaluationPolicyRow as Policy
from app.verdicts.models.policy import JudgeCalibration
from app.verdicts.status import BUDGET_REASONS, WAITING, WaitReason

_ROW = "(SELECT to_jsonb(p) FROM evaluation_policies p WHERE p.workspace_id = {})"
# The row as JSON; NULL without one.
POLICY_ROW = text(f"SELECT {_ROW.format(':workspace_id')}")
# The same inside a statement that goes to the database anyway.
POLICY_BESIDE = _ROW.format("%(workspace_id)s")


def stored(workspace_id: uuid.UUID) -> Select[Policy]:
    return select(Policy).where(Policy.workspace_id == workspace_id)


def save(
    workspace_id: uuid.UUID, values: Mapping[str, Any], expected: int | None
) -> ReturningInsert[int]:
    """Writes all of a policy. Returns its new version, and nothing where another than the
    `expected` one stands there (0 for none)."""
    statement = insert(Policy).values(workspace_id=workspace_id, **values)
    return statement.on_conflict_do_update(
        index_elements=[Policy.workspace_id],
        set_={**values, "version": Policy.version + 1, "updated_at": func.now()},
        where=None if expected is None else Policy.version == expected,
    ).returning(Policy.version)


# A row without settings changes nothing but its version.
RAISE_VERSION = text("""
INSERT INTO evaluation_policies AS p (workspace_id) VALUES (:workspace_id)
ON CONFLICT (workspace_id) DO UPDATE SET version = p.version + 1, updated_at = now()
RETURNING version
""")
# Locks them until the transaction ends.
CRITERIA_IN_FORCE = text("""
INSERT INTO evaluation_policies AS p (workspace_id) VALUES (:workspace_id)
ON CONFLICT (workspace_id) DO UPDATE SET version = p.version + 1, updated_at = now()
RETURNING COALESCE(criteria, '{}')
""")
SET_CRITERIA = text("""
UPDATE evaluation_policies SET criteria = :criteria WHERE workspace_id = :workspace_id
""")
PAUSED_AMONG = text("""
SELECT judge_model FROM judge_pauses WHERE judge_model = ANY(:judges) ORDER BY judge_model
""")
# With other thresholds the judges get other answers than those that guarantees were computed from.
SAVE_CASCADE = text("""
WITH outdated AS (
    DELETE FROM judge_calibrations WHERE workspace_id = :workspace_id AND cascade IS NOT NULL
)
INSERT INTO evaluation_policies AS p (workspace_id, cascade, cascade_calibration)
VALUES (:workspace_id, :judges, CAST(:calibration AS jsonb))
ON CONFLICT (workspace_id) DO UPDATE SET cascade = excluded.cascade,
    cascade_calibration = excluded.cascade_calibration, version = p.version + 1, updated_at = now()
""")
DELETE_CASCADE = text("""
UPDATE evaluation_policies SET cascade_calibration = NULL, version = version + 1,
    updated_at = now()
WHERE workspace_id = :workspace_id AND cascade_calibration IS NOT NULL
""")
CALIBRATIONS = text("""
SELECT judge_model, prompt_version, precision, confidence, threshold, labels, labels_right,
    stays_high, policy_version, created_at, cascade
FROM judge_calibrations WHERE workspace_id = :workspace_id ORDER BY judge_model, created_at DESC
""")
WITHDRAW_CALIBRATION = text("""
DELETE FROM judge_calibrations WHERE workspace_id = :workspace_id
  AND judge_model = :judge_model AND prompt_version = :prompt_version
""")
DELETE_CALIBRATIONS = text("""
DELETE FROM judge_calibrations WHERE workspace_id = :workspace_id RETURNING judge_model
""")

# What `RECALIBRATE` puts back.
CALIBRATED = text("""
SELECT (SELECT cascade_calibration FROM evaluation_policies WHERE workspace_id = :workspace_id),
    (SELECT COALESCE(jsonb_agg(c), '[]') FROM judge_calibrations c
     WHERE c.workspace_id = :workspace_id) AS calibrations
""")
_CALIBRATION = ", ".join(column.name for column in JudgeCalibration.__table__.columns)
# Guarantees that were made since stay.
RECALIBRATE = text(f"""
WITH thresholds AS (
    UPDATE evaluation_policies
    SET cascade_calibration = NULLIF(CAST(:given AS jsonb) -> 'cascade_calibration', 'null')
    WHERE workspace_id = :workspace_id
)
INSERT INTO judge_calibrations ({_CALIBRATION})
SELECT {_CALIBRATION} FROM jsonb_populate_recordset(
    NULL::judge_calibrations, CAST(:given AS jsonb) -> 'calibrations')
WHERE workspace_id = :workspace_id ON CONFLICT DO NOTHING
""")


def save_calibration(workspace_id: uuid.UUID, values: Mapping[str, Any]) -> Insert:
    statement = insert(JudgeCalibration).values(workspace_id=workspace_id, **values)
    return statement.on_conflict_do_update(
        index_elements=[
            JudgeCalibration.workspace_id,
            JudgeCalibration.judge_model,
            JudgeCalibration.prompt_version,
        ],
        set_={**values, "created_at": func.now()},
    )


def notebooks_among(workspace_id: uuid.UUID, ids: list[uuid.UUID]) -> Select[uuid.UUID]:
    return select(Notebook.id).where(Notebook.workspace_id == workspace_id, Notebook.id.in_(ids))


# PostgreSQL's own names, because it computes with them.
ZONE_EXISTS = text("SELECT EXISTS (SELECT FROM pg_timezone_names WHERE name = :zone)")

# What waits for money is looked at again under a changed policy.
WAKE_DEFERRED = text(f"""
UPDATE qa_evaluations SET run_at = now(), enqueued_at = NULL
WHERE workspace_id = :workspace_id AND status IN ({in_list(WAITING)})
  AND reason IN ({in_list(BUDGET_REASONS)})
""")

# Under a policy that wants no batches (any more); what is in one already stays there.
RELEASE_UNBATCHED = text("""
UPDATE qa_evaluations SET reason = NULL, run_at = now(), enqueued_at = NULL
WHERE workspace_id = :workspace_id AND reason = 'for_batch'
""")
BUDGET_TODAY = text(f"""
WITH day AS (
    SELECT date_trunc('day', now() AT TIME ZONE :zone) AS local
), bounds AS (
    SELECT local AT TIME ZONE :zone AS day_start,
           (local + interval '1 day') AT TIME ZONE :zone AS day_end
    FROM day
)
SELECT b.day_start, b.day_end,
       COALESCE(s.cost_usd, 0)::float8 AS spent_usd,
       (SELECT COALESCE(sum(e.cost_estimate_usd), 0)::float8 FROM qa_evaluations e
        WHERE e.workspace_id = :workspace_id AND e.status = 'running')
       + (SELECT COALESCE(sum(h.cost_usd), 0)::float8 FROM budget_holds h
          WHERE h.workspace_id = :workspace_id AND h.held_until > now()) AS held_usd,
       (SELECT count(*) FROM qa_evaluations e
        WHERE e.workspace_id = :workspace_id AND e.status IN ({in_list(WAITING)})
          AND e.reason = 'budget_spent') AS deferred
FROM bounds b
LEFT JOIN judge_spending s ON s.workspace_id = :workspace_id AND s.day_start = b.day_start
""")

# How many answers there were in the last seven days, over how many days, and some of them, chosen
# by their ids, with what a policy and a price depend on.
RECENT_ANSWERS = text("""
SELECT r.total, r.days, a.id, a.feature, a.lang, a.notebook_id, a.answer,
    octet_length(a.question) + COALESCE(octet_length(a.history::text), 0) AS question_bytes,
    octet_length(a.answer) AS answer_bytes, COALESCE(notes.bytes, 0) AS note_bytes
FROM (
    SELECT answer_id, count(*) OVER () AS total,
        EXTRACT(epoch FROM now() - min(answered_at) OVER ())::float8 / 86400 AS days
    FROM qa_evaluations
    WHERE workspace_id = :workspace_id AND is_current
        AND answered_at >= now() - interval '7 days'
    ORDER BY uuid_hash(answer_id) LIMIT :sample
) r
JOIN qa_answers a ON a.id = r.answer_id
LEFT JOIN LATERAL (
    SELECT sum(octet_length(s.content))::bigint AS bytes FROM qa_answer_sources s
    WHERE s.answer_id = a.id
) notes ON true
""")

_HOLD = """
SELECT * FROM hold_budget({workspace_id}, {work_id}, {piece_no}, CAST({cost_usd} AS numeric),
                          CAST({seconds} AS float8))
"""
_HELD = ("workspace_id", "work_id", "piece_no", "cost_usd", "seconds")
HOLD_BUDGET = text(_HOLD.format_map({name: f":{name}" for name in _HELD}))
# For psycopg.
HOLD_BUDGET_OF_BATCH = _HOLD.format_map({name: f"%({name})s" for name in _HELD}).encode()
# Of all pieces of a work, which has ended.
DROP_HOLDS = text(
    "DELETE FROM budget_holds WHERE workspace_id = :workspace_id AND work_id = :work_id"
)
DROP_HOLD = text("DELETE FROM budget_holds WHERE work_id = :work_id AND piece_no = :piece_no")
# The row of a day is there once somebody has asked for money of its budget.
COUNT_SPENDING = text("""
UPDATE judge_spending SET cost_usd = LEAST(cost_usd + :cost_usd, 999999)
WHERE workspace_id = :workspace_id AND day_start <= now() AND now() < day_end
""")


@dataclass(frozen=True, slots=True)
class MustWait:
    """There is no money for it now; `seconds` until it is worth asking again."""

    seconds: float
    reason: WaitReason


async def hold_budget(
    session: AsyncSession,
    workspace_id: uuid.UUID,
    work_id: uuid.UUID,
    piece_no: int,
    cost_usd: Decimal | None,
    *,
    seconds: float,
) -> MustWait | None:
    """Holds what a piece of work may cost, for at most so many seconds; the caller commits. None
    where it may begin, which it always may without a budget. cost_usd: None where nobody knows."""
    given = {"workspace_id": workspace_id, "work_id": work_id, "piece_no": piece_no}
    given |= {"cost_usd": cost_usd, "seconds": seconds}
    row = (await session.execute(HOLD_BUDGET, given)).one()
    return MustWait(row.wait_seconds, WaitReason(row.why)) if row.why else None


async def settle(
    session: AsyncSession,
    workspace_id: uuid.UUID,
    work_id: uuid.UUID,
    piece_no: int,
    cost_usd: Decimal | None,
) -> None:
    """Counts what the work has cost in the place of what was held for it; the caller commits."""
    await session.execute(DROP_HOLD, {"work_id": work_id, "piece_no": piece_no})
    if cost_usd:
        given = {"workspace_id": workspace_id, "cost_usd": cost_usd}
        await session.execute(COUNT_SPENDING, given)
