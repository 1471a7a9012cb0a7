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
from app.platform.db.pool import Connection
from app.platform.db.statements import SqlFile, in_list
from app.text.redaction import Redactor
from app.verdicts.models.policy import EvaluationPolicyRow as Policy
from app.verdicts.models.policy import JudgeCalibration
from app.verdicts.status import BUDGET_REASONS, WAITING, WaitReason

_SQL = SqlFile(
    __package__,
    "queries",
    waiting=in_list(WAITING),
    budget_reasons=in_list(BUDGET_REASONS),
    calibration=", ".join(column.name for column in JudgeCalibration.__table__.columns),
)
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


RAISE_VERSION = text(_SQL("raise_version"))
CRITERIA_IN_FORCE = text(_SQL("criteria_in_force"))
SET_CRITERIA = text(_SQL("set_criteria"))
PAUSED_AMONG = text(_SQL("paused_among"))
SAVE_CASCADE = text(_SQL("save_cascade"))
DELETE_CASCADE = text(_SQL("delete_cascade"))
CALIBRATIONS = text(_SQL("calibrations"))
WITHDRAW_CALIBRATION = text(_SQL("withdraw_calibration"))
DELETE_CALIBRATIONS = text(_SQL("delete_calibrations"))
CALIBRATED = text(_SQL("calibrated"))
RECALIBRATE = text(_SQL("recalibrate"))


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


ZONE_EXISTS = text(_SQL("zone_exists"))
WAKE_DEFERRED = text(_SQL("wake_deferred"))
RELEASE_UNBATCHED = text(_SQL("release_unbatched"))
BUDGET_TODAY = text(_SQL("budget_today"))
RECENT_ANSWERS = text(_SQL("recent_answers"))
_HELD = ("workspace_id", "work_id", "piece_no", "cost_usd", "seconds")
HOLD_BUDGET = text(_SQL("hold", **{name: f":{name}" for name in _HELD}))
# For psycopg.
HOLD_BUDGET_OF_BATCH = _SQL("hold", **{name: f"%({name})s" for name in _HELD}).encode()
_REDACTOR = _SQL("redactor", workspace_id="%(workspace_id)s").encode()
_REDACTOR_IN_SESSION = text(_SQL("redactor", workspace_id=":workspace_id"))
DROP_HOLDS = text(_SQL("drop_holds"))
DROP_HOLD = text(_SQL("drop_hold"))
COUNT_SPENDING = text(_SQL("count_spending"))


async def redactor_of(connection: Connection, workspace_id: uuid.UUID) -> Redactor | None:
    """None where the workspace does not have texts redacted."""
    found = await connection.execute(_REDACTOR, {"workspace_id": workspace_id})
    row = await found.fetchone()
    return Redactor(*row) if row else None


async def redactor_in(session: AsyncSession, workspace_id: uuid.UUID) -> Redactor | None:
    """The same for sessions."""
    row = (await session.execute(_REDACTOR_IN_SESSION, {"workspace_id": workspace_id})).first()
    return Redactor(*row) if row else None


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
