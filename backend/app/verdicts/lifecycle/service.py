"""The birth of a verdict: an answer and its evaluation row in one transaction."""

import uuid
from dataclasses import asdict, dataclass

from psycopg.errors import UniqueViolation

from app.platform.db.pool import Connection, Pool, transaction_in_workspace
from app.platform.errors import Conflict
from app.platform.ids import new_id
from app.platform.metrics import ANSWERS
from app.platform.spans import span
from app.verdicts.answers.finished import FinishedAnswer
from app.verdicts.answers.queries import insert_answer, with_history
from app.verdicts.lifecycle import queries
from app.verdicts.policy.evaluation_policy import EvaluationPolicy
from app.verdicts.policy.queries import POLICY_BESIDE, redactor_of
from app.verdicts.status import Status


@dataclass(frozen=True, slots=True)
class NewEvaluation:
    """What the caller gets at once. `created` is False when an idempotency key was seen
    before and nothing was stored."""

    answer_id: uuid.UUID
    evaluation_id: uuid.UUID
    status: Status
    reason: str | None
    created: bool = True


async def finish_answer(
    pool: Pool, policy: EvaluationPolicy, answer: FinishedAnswer
) -> NewEvaluation:
    """Commits the answer, its sources and one evaluation row, queued or skipped with a reason.
    policy: the server's; the workspace's own, as it stands at this moment, goes over it.

    Raises Conflict when the idempotency key was used for another body, and psycopg.Error.
    """
    try:
        async with transaction_in_workspace(pool, answer.workspace_id) as connection:
            return await insert_finished(connection, policy, answer)
    except UniqueViolation:
        # Two requests with one key at the same moment: the other one has won.
        async with transaction_in_workspace(pool, answer.workspace_id) as connection:
            if seen := await _seen_before(connection, answer):
                return seen
        raise


async def insert_finished(
    connection: Connection, policy: EvaluationPolicy, answer: FinishedAnswer
) -> NewEvaluation:
    """The same inside the caller's transaction, which sees the answer's workspace and commits.

    Raises Conflict and psycopg.Error; UniqueViolation when another transaction used the
    idempotency key at the same moment."""
    with span("store answer") as recording:
        new = await _seen_before(connection, answer) or await _insert(connection, policy, answer)
        recording.set_attributes({"searchqa.evaluation.id": str(new.evaluation_id)})
    if new.created:
        ANSWERS.labels(new.status).inc()
    return new


async def _insert(
    connection: Connection, policy: EvaluationPolicy, answer: FinishedAnswer
) -> NewEvaluation:
    answer = await with_history(connection, answer)
    row = await insert_answer(connection, answer, POLICY_BESIDE)
    if row is None:
        # None where the policy was changed at this moment: then it is stored as it is.
        if redactor := await redactor_of(connection, answer.workspace_id):
            answer = answer.redacted(redactor)
        row = await insert_answer(connection, answer, POLICY_BESIDE, redacted=True)
    assert row is not None, "this time it was inserted"
    plan = policy.with_workspace(row[0]).plan_answer(answer.id, answer)
    evaluation_id = new_id()
    values = {
        **asdict(plan),
        "id": evaluation_id,
        "workspace_id": answer.workspace_id,
        "answer_id": answer.id,
        "judge_key": plan.judge_key,
        "judge_model": plan.first_judge,
        "cascade": list(plan.cascade) or None,
        "cascade_costs": list(plan.cascade_costs) or None,
        "evaluators": list(plan.evaluators),
        "status": plan.status.value,
        "reason": plan.reason and plan.reason.value,
    }
    row = await (await connection.execute(queries.INSERT, values)).fetchone()
    assert row is not None
    return NewEvaluation(answer.id, evaluation_id, plan.status, reason=row[0])


async def _seen_before(connection: Connection, answer: FinishedAnswer) -> NewEvaluation | None:
    if answer.idempotency_key is None:
        return None
    cursor = await connection.execute(
        queries.BY_IDEMPOTENCY_KEY,
        {"workspace_id": answer.workspace_id, "key": answer.idempotency_key},
    )
    found = await cursor.fetchone()
    if found is None:
        return None
    answer_id, request_hash, evaluation_id, status, reason = found
    if request_hash != answer.request_hash:
        raise Conflict.worded("idempotency-key-reused")
    return NewEvaluation(answer_id, evaluation_id, Status(status), reason, created=False)
