"""Deletes all of a user: answers, what hangs on them, copies of their texts, waiting spans."""

import datetime as dt
import json
import uuid
from collections import Counter
from collections.abc import Mapping

from pydantic import BaseModel
from sqlalchemy import TextClause, text
from sqlalchemy.ext.asyncio import AsyncSession

from app.platform.db.actor import actor
from app.platform.db.session import Sessions, in_workspace
from app.platform.db.statements import SqlFile
from app.verdicts.lifecycle.retention import SQL as RETENTION

# Answers of one transaction, and transactions of one call.
BATCH = 100
MAX_BATCHES = 200
# What goes with an answer, and with an evaluation, by foreign keys.
OF_ANSWER = (
    *("qa_answer_sources", "qa_evaluations", "qa_feedback", "qa_past_feedback", "review_items"),
    *("review_reservations", "judge_prompt_examples", "conversation_answers"),
)
OF_EVALUATION = (
    *("verdict_events", "qa_evaluation_sources", "qa_evaluation_issues", "qa_claims", "qa_scores"),
    *("judge_calls", "qa_cascade_steps", "crash_suspects", "judge_batch_lines", "judge_trials"),
    *("refinements", "recurring_failure_answers", "webhook_deliveries"),
)


def _of(package: str, *names: str) -> list[TextClause]:
    """Each package owns the statements on its tables."""
    file = SqlFile(f"app.{package}", "of_user")
    return [text(file(name)) for name in names]


_ANSWER_SQL = SqlFile("app.verdicts.answers", "of_user")
_COUNTS = text(
    " UNION ALL ".join(
        _ANSWER_SQL("counted", table=table, column=column, rows=rows)
        for tables, column, rows in (
            (OF_ANSWER, "answer_id", "answers"),
            (OF_EVALUATION, "evaluation_id", "evaluations"),
        )
        for table in tables
    )
)
_ANSWERS, _EVALUATIONS, _DELETE, _RECEIPT = _of(
    "verdicts.answers", "answers", "evaluations", "delete_answers", "receipt"
)
_TRACES, _WAITING = _of("integrations.traces", "settled", "waiting")
(_COPIES,), (_LISTS,) = _of("experiments", "copies"), _of("quality.review", "lists")
(_FAILURES,) = _of("quality.failures", "emptied")
(_DELIVERIES,) = _of("integrations.webhooks", "deliveries")
_GENERIC_PLANS = text(RETENTION("generic_plans"))
_ACT = text("SELECT set_config('app.actor', :actor, true)")


class UserDeletion(BaseModel):
    """The receipt, of which the audit log keeps the same. user_ref: the keyed hash, also where the
    policy stores users as sent. deleted: rows by table; of `eval_results` and `judge_bench_items`
    the texts went and the figures stay. complete: false where so much was there that another call
    is needed."""

    user_ref: str
    deleted: dict[str, int]
    complete: bool
    deleted_at: dt.datetime
    deleted_by: str


async def delete_user(
    sessions: Sessions, workspace_id: uuid.UUID, user_ref: str, *, by: str
) -> UserDeletion:
    """Each batch is a transaction with an entry of its own in the audit log, so that a call that
    breaks off has deleted nothing without a receipt. by: who asks."""
    total: Counter[str] = Counter()
    batches, complete = 0, False
    about: dict[str, object] = {"workspace_id": workspace_id, "user_ref": user_ref}
    while not complete and batches < MAX_BATCHES:
        async with in_workspace(sessions, workspace_id) as session, session.begin():
            deleted: Counter[str] = Counter()
            if not batches:
                about["hashed"] = await _hashed(session, about)
                for left_over in (_WAITING, _LISTS):
                    deleted += await _counts(session, left_over, about)
            found = (await session.execute(_ANSWERS, {**about, "limit": BATCH})).all()
            if found:
                traces = [row.trace_id for row in found if row.trace_id]
                deleted += await _delete(session, workspace_id, [row.id for row in found], traces)
            batches, complete = batches + 1, len(found) < BATCH
            if deleted or batches == 1:
                await session.execute(_RECEIPT, about | {"deleted": json.dumps(deleted)})
        total += deleted
    return UserDeletion(
        user_ref=str(about["hashed"]),
        deleted=dict(sorted(total.items())),
        complete=complete,
        deleted_at=dt.datetime.now(dt.UTC),
        deleted_by=by,
    )


async def _hashed(session: AsyncSession, about: Mapping[str, object]) -> str:
    """As the receipt names the user, whatever the policy says now of how users are stored."""
    async with session.begin_nested() as not_kept:
        hashed: str = await session.scalar(_RECEIPT, {**about, "deleted": "{}"})
        await not_kept.rollback()
    return hashed


async def _delete(
    session: AsyncSession, workspace_id: uuid.UUID, answers: list[uuid.UUID], traces: list[str]
) -> Counter[str]:
    about: dict[str, object] = {"workspace_id": workspace_id, "answers": answers}
    about["evaluations"] = [row.id for row in await session.execute(_EVALUATIONS, about)]
    deleted = Counter(qa_answers=len(answers))
    deleted += await _counts(session, _COUNTS, about)
    refs = [str(id_) for id_ in answers]
    deleted += await _counts(session, _COPIES, about | {"refs": refs})
    deleted += await _counts(session, _TRACES, about | {"traces": traces})
    await session.execute(_GENERIC_PLANS)
    await session.execute(_DELETE, about)
    await session.execute(_ACT, {"actor": actor()})
    failures = (await session.scalars(_FAILURES, about)).all()
    deleted += Counter(recurring_failures=len(failures))
    return deleted + await _counts(session, _DELIVERIES, about | {"failures": list(failures)})


async def _counts(
    session: AsyncSession, statement: TextClause, about: Mapping[str, object]
) -> Counter[str]:
    return Counter({row.name: row.rows for row in await session.execute(statement, about)})
