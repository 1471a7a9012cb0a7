"""SQL that reads verdicts and events, and inserts the row of a new answer."""

import uuid
from dataclasses import asdict

from sqlalchemy import delete, select, text
from sqlalchemy.sql.dml import ReturningDelete

from app.broker import Queue
from app.db.pool import Connection
from app.verdicts.models import JudgePause
from app.verdicts.policy.evaluation_policy import EvaluationPlan
from app.verdicts.status import Status, WaitReason

# The API publishes a fresh row itself; the dispatcher looks after it only if that was lost.
PUBLISH_GRACE_SECONDS = 1


# The row of a new answer and the event that tells of it. Returns the row's reason: why it is
# skipped, or that its judge is paused. Where the judge is failing somebody stands in at the
# dispatcher's next tick, or that corrects the reason (FALL_BACK).
_INSERT_EVALUATION = f"""
WITH row AS (
    INSERT INTO qa_evaluations (
        id, workspace_id, answer_id, judge_key, evaluators, judge_model, judge_prompt, status,
        auto_refine, policy_version, cost_estimate_usd, queue, run_at, finished_at, reason)
    VALUES (
        %(id)s, %(workspace_id)s, %(answer_id)s, %(judge_key)s, %(evaluators)s, %(judge_model)s,
        %(judge_prompt)s, %(status)s::text, %(auto_refine)s, %(policy_version)s,
        %(cost_estimate_usd)s, '{Queue.LIVE}', now() + interval '{PUBLISH_GRACE_SECONDS} second',
        CASE WHEN %(status)s::text = '{Status.SKIPPED}' THEN now() END,
        COALESCE(%(reason)s, (
            SELECT CASE kind WHEN 'failing' THEN '{WaitReason.FALLBACK}'
                   ELSE '{WaitReason.JUDGE_PAUSED}' END
            FROM judge_pauses WHERE judge_model = %(judge_model)s)))
    RETURNING workspace_id, id, status, reason
), events AS (
    INSERT INTO verdict_events (workspace_id, evaluation_id, status)
    SELECT workspace_id, id, status FROM row
)
SELECT reason FROM row
""".encode()


async def insert_evaluation(
    connection: Connection,
    evaluation_id: uuid.UUID,
    workspace_id: uuid.UUID,
    answer_id: uuid.UUID,
    plan: EvaluationPlan,
) -> str | None:
    """See `_INSERT_EVALUATION`."""
    values = {
        **asdict(plan),
        "id": evaluation_id,
        "workspace_id": workspace_id,
        "answer_id": answer_id,
        "judge_key": plan.judge_key,
        "evaluators": list(plan.evaluators),
        "status": plan.status.value,
        "reason": plan.reason and plan.reason.value,
    }
    row = await (await connection.execute(_INSERT_EVALUATION, values)).fetchone()
    assert row is not None
    reason: str | None = row[0]
    return reason


PAUSES = select(JudgePause).order_by(JudgePause.judge_model)


def resume(judge_model: str) -> ReturningDelete[str]:
    return (
        delete(JudgePause)
        .where(JudgePause.judge_model == judge_model)
        .returning(JudgePause.judge_model)
    )


# What people say, counted; NULL when nobody has said anything.
# A label on the answer as a whole is one on each of its verdicts, one on a claim on that one.
OF_VERDICT = """f.answer_id = e.answer_id
        AND (f.claim_position IS NULL OR f.evaluation_id = e.id)"""
HUMAN = f"""
    (SELECT json_build_object(
        'right', count(*) FILTER (WHERE f.claim_position IS NULL AND f.label = 'right'),
        'partly', count(*) FILTER (WHERE f.claim_position IS NULL AND f.label = 'partly'),
        'wrong', count(*) FILTER (WHERE f.claim_position IS NULL AND f.label = 'wrong'),
        'claims', count(f.claim_position))
     FROM qa_feedback f WHERE {OF_VERDICT} HAVING count(*) > 0) AS human
"""

_VIEW = f"""
SELECT e.id, e.workspace_id, e.answer_id, e.status, e.reason, e.error, e.attempt, e.evaluators,
    e.judge_model, e.fallback_because, e.policy_version, e.is_current, e.correctness, e.utility,
    e.confidence, e.summary, e.degraded, e.provider, e.model, e.prompt_version, e.prompt_tokens,
    e.completion_tokens, e.cost_usd::float8 AS cost_usd, e.queue_ms, e.judge_ms,
    e.created_at, e.started_at, e.finished_at, e.run_at, e.overall_score, e.needs_improvement,
    e.answer_chars, e.judged_answer_chars, e.note_chars, e.judged_note_chars,
    (SELECT c.id FROM qa_evaluations c WHERE c.answer_id = e.answer_id AND c.is_current)
        AS current_id,
    a.question, a.answer, a.lang, a.feature, a.search_method, a.events, a.evidence,
    (SELECT json_agg(json_build_object(
        'note_index', s.note_index, 'note_title', n.title, 'note_id', n.note_id,
        'cited', s.cited, 'relevant_claim', s.relevant_claim, 'quote', s.quote,
        'quote_found', s.quote_found) ORDER BY s.note_index)
     FROM qa_evaluation_sources s
     LEFT JOIN qa_answer_sources n ON n.answer_id = e.answer_id AND n.note_index = s.note_index
     WHERE s.evaluation_id = e.id) AS sources,
    (SELECT json_agg(json_build_object('kind', i.kind, 'detail', i.detail) ORDER BY i.position)
     FROM qa_evaluation_issues i WHERE i.evaluation_id = e.id) AS issues,
    (SELECT json_agg(json_build_object(
        'position', c.position, 'claim', c.claim, 'verdict', c.verdict,
        'note_index', c.note_index, 'quote', c.quote, 'quote_found', c.quote_found,
        'start', c.start_char, 'end', c.end_char,
        'reasoning', c.reasoning) ORDER BY c.position)
     FROM qa_claims c WHERE c.evaluation_id = e.id) AS claims,
    (SELECT json_object_agg(q.name, json_build_object(
        'value', q.value, 'label', q.label, 'reasoning', q.reasoning, 'source', q.source,
        'details', q.details))
     FROM qa_scores q WHERE q.evaluation_id = e.id) AS scores,
    (SELECT json_build_object(
        'id', r.id, 'status', j.status, 'stop_reason', r.stop_reason,
        'best_iteration', r.best_iteration, 'lift', r.lift)
     FROM refinements r JOIN jobs j ON j.id = r.id
     WHERE r.evaluation_id = e.id ORDER BY r.id DESC LIMIT 1) AS refinement,
    {HUMAN}
FROM qa_evaluations e JOIN qa_answers a ON a.id = e.answer_id
"""

VIEW_BY_ID = f"{_VIEW} WHERE e.workspace_id = %(workspace_id)s AND e.id = %(id)s".encode()

BY_IDEMPOTENCY_KEY = b"""
SELECT a.id AS answer_id, a.request_hash, e.id AS evaluation_id, e.status, e.reason
FROM qa_answers a JOIN qa_evaluations e ON e.answer_id = a.id AND e.is_current
WHERE a.workspace_id = %(workspace_id)s AND a.idempotency_key = %(key)s
"""

_EVENT = """v.xid::text::bigint AS xid, v.id, v.workspace_id, v.evaluation_id, v.status,
    v.refinement_id"""

# What is settled and newer than the cursor, oldest first, and the first event above the horizon,
# which a transaction that is still open might yet precede. `delivered`: visible in the snapshot
# `seen`, see `held_back.py`. Events of the future are those of another cluster, out of whose dump
# the database was made.
EVENTS_PAGE = 1000
NEW_EVENTS = f"""
WITH now AS MATERIALIZED (
    SELECT pg_snapshot_xmin(s) AS horizon, pg_snapshot_xmax(s) AS future
    FROM pg_current_snapshot() s
)
(SELECT {_EVENT}, (SELECT horizon::text::bigint FROM now) AS horizon, true AS settled,
     COALESCE(pg_visible_in_snapshot(v.xid, %(seen)s::text::pg_snapshot), false) AS delivered
 FROM verdict_events v
 WHERE (v.xid, v.id) > (%(xid)s::text::xid8, %(id)s) AND v.xid < (SELECT horizon FROM now)
 ORDER BY v.xid, v.id LIMIT %(limit)s)
UNION ALL
(SELECT {_EVENT}, (SELECT horizon::text::bigint FROM now), false, false
 FROM verdict_events v
 WHERE (v.xid, v.id) > (%(xid)s::text::xid8, %(id)s)
   AND v.xid >= (SELECT horizon FROM now) AND v.xid < (SELECT future FROM now)
 ORDER BY v.xid, v.id LIMIT 1)
ORDER BY 1, 2
""".encode()

# What has become visible since the snapshot `seen` was taken: of transactions that began later,
# and of those that were open. `snapshot` is the present one; a row without event if there is none.
EARLY_EVENTS = f"""
WITH now AS MATERIALIZED (SELECT pg_current_snapshot() AS snapshot),
seen AS MATERIALIZED (SELECT %(seen)s::text::pg_snapshot AS snapshot),
open AS MATERIALIZED (SELECT pg_snapshot_xip(snapshot) AS xid FROM seen),
events AS (
    SELECT {_EVENT} FROM verdict_events v
    WHERE v.xid >= (SELECT pg_snapshot_xmax(snapshot) FROM seen)
      AND v.xid < (SELECT pg_snapshot_xmax(snapshot) FROM now)
    UNION ALL
    SELECT {_EVENT} FROM open JOIN verdict_events v ON v.xid = open.xid
)
SELECT now.snapshot::text, events.* FROM now LEFT JOIN events ON true ORDER BY xid, id
""".encode()

EVENT_HORIZON = b"SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint"

REPLAY = text("""
SELECT v.xid::text::bigint AS xid, v.id, v.workspace_id, v.evaluation_id, v.status,
       v.refinement_id
FROM verdict_events v
WHERE v.workspace_id = :workspace_id
  AND (CAST(:evaluation_id AS uuid) IS NULL OR v.evaluation_id = :evaluation_id)
  AND (v.xid, v.id) > (CAST(CAST(:after_xid AS text) AS xid8), :after_id)
  AND ((v.xid, v.id) <= (CAST(CAST(:until_xid AS text) AS xid8), :until_id)
       OR pg_visible_in_snapshot(v.xid, CAST(CAST(:seen AS text) AS pg_snapshot)))
ORDER BY v.xid, v.id LIMIT :limit
""")

STATUS_COUNTS = text("""
SELECT status, count(*) AS evaluations,
    extract(epoch FROM now() - min(created_at) FILTER (
        WHERE status IN ('queued', 'running', 'retrying')))::float8 AS oldest_unfinished
FROM qa_evaluations WHERE workspace_id = :workspace_id GROUP BY status
""")
