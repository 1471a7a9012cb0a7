"""The SQL of judging again. A row that is put in is a second one of its answer; it counts only when
its verdict is there, see RECORD in lifecycle_queries."""

from sqlalchemy import text

from app.verdicts.lifecycle_queries import EVENTS_CHANNEL

# What is under way has a verdict coming and is left to it. NULL parameters do not filter.
_FINAL = "e.status IN ('succeeded', 'failed', 'skipped')"
_MATCHES = f"""
    e.workspace_id = :workspace_id AND e.is_current AND {_FINAL}
    AND (CAST(:since AS timestamptz) IS NULL OR a.created_at >= :since)
    AND (CAST(:until AS timestamptz) IS NULL OR a.created_at < :until)
    AND (CAST(:status AS text) IS NULL OR e.status = :status)
    AND (CAST(:confidence AS text) IS NULL OR e.confidence = :confidence)
    AND (CAST(:degraded AS bool) IS NULL OR e.degraded = :degraded)
    AND (CAST(:needs_improvement AS bool) IS NULL OR e.needs_improvement = :needs_improvement)
    AND (CAST(:feature AS text) IS NULL OR a.feature = :feature)
    AND (CAST(:lang AS text) IS NULL OR a.lang = :lang)
    AND (CAST(:judge_model AS text) IS NULL OR e.judge_model = :judge_model)
    AND (CAST(:prompt_version AS text) IS NULL OR e.prompt_version = :prompt_version)
    AND (CAST(:correctness_below AS float8) IS NULL OR e.correctness < :correctness_below)
    AND (CAST(:utility_below AS float8) IS NULL OR e.utility < :utility_below)
    AND (CAST(:overall_below AS float8) IS NULL OR e.overall_score < :overall_below)
    AND (CAST(:notebook_id AS uuid) IS NULL OR a.notebook_id = :notebook_id OR EXISTS (
        SELECT FROM qa_answer_sources s JOIN notes n ON n.id = s.note_id
        WHERE s.answer_id = a.id AND n.notebook_id = :notebook_id))
"""
_MATCHING = f"qa_evaluations e JOIN qa_answers a ON a.id = e.answer_id WHERE {_MATCHES}"

COUNT_ALL = text(f"""
SELECT count(*) FROM qa_evaluations e
WHERE e.workspace_id = :workspace_id AND e.is_current AND {_FINAL}
""")

EVALUATORS = text(f"SELECT DISTINCT e.evaluators FROM {_MATCHING}")

# The answers by what they need, with the mean lengths of their texts in bytes, which unlike those
# in characters are known without reading them. `judged`: the judge has done or is at it already.
ESTIMATE = text(f"""
WITH matching AS (
    SELECT e.answer_id, e.workspace_id, e.evaluators, a.lang,
           octet_length(a.question) AS question, octet_length(a.answer) AS answer, k.judge_key
    FROM qa_evaluations e JOIN qa_answers a ON a.id = e.answer_id
    JOIN jsonb_to_recordset(CAST(:keys AS jsonb)) AS k(evaluators text[], judge_key text)
        ON k.evaluators = e.evaluators
    WHERE {_MATCHES}
), told AS (
    SELECT m.*, EXISTS (
        SELECT FROM qa_evaluations r
        WHERE r.answer_id = m.answer_id AND r.workspace_id = m.workspace_id
          AND r.judge_key = m.judge_key AND r.status NOT IN ('failed', 'skipped')) AS judged
    FROM matching m
)
SELECT t.evaluators, t.lang, t.judged, count(*) AS answers, avg(t.question)::float8 AS question,
       avg(t.answer)::float8 AS answer, COALESCE(avg(notes.bytes), 0)::float8 AS notes
FROM told t LEFT JOIN LATERAL (
    SELECT sum(octet_length(s.content)) AS bytes FROM qa_answer_sources s
    WHERE s.answer_id = t.answer_id
) notes ON NOT t.judged AND cardinality(t.evaluators) > 0
GROUP BY t.evaluators, t.lang, t.judged
""")

PAGE = text(f"""
SELECT e.id, e.answer_id, e.evaluators FROM {_MATCHING}
  AND e.id > :after AND cardinality(e.evaluators) > 0
ORDER BY e.id LIMIT :limit
""")

ONE = text("""
SELECT id, answer_id, status, evaluators FROM qa_evaluations
WHERE workspace_id = :workspace_id AND answer_id = (
    SELECT answer_id FROM qa_evaluations WHERE workspace_id = :workspace_id AND id = :id
) AND is_current
""")

# A row that has failed or was skipped is judged itself, by the judge that is asked for even where
# another stood in for it, but only once for a job: it may be put in again after a crash. Answers
# that are being forgotten are waited for, and then not there.
_ADD = f"""
WITH given AS (
    SELECT r.*, a.workspace_id, a.created_at AS answered_at, r.cost_usd + r.cost_usd_a_byte * (
        octet_length(a.question) + octet_length(a.answer)
        + (SELECT COALESCE(sum(octet_length(s.content)), 0) FROM qa_answer_sources s
           WHERE s.answer_id = a.id)) AS cost_estimate_usd
    FROM jsonb_to_recordset(CAST({{rows}} AS jsonb)) AS r(
        id uuid, answer_id uuid, judge_key text, evaluators text[], judge_model text,
        judge_prompt text, job_id uuid, fallback_because text, cost_usd numeric,
        cost_usd_a_byte numeric)
    JOIN qa_answers a ON a.id = r.answer_id
    FOR KEY SHARE OF a
), added AS (
    INSERT INTO qa_evaluations AS e (id, workspace_id, answer_id, answered_at, judge_key,
        is_current, evaluators, judge_model, judge_prompt, job_id, fallback_because,
        cost_estimate_usd, status, reason, queue)
    SELECT id, workspace_id, answer_id, answered_at, judge_key, false, evaluators, judge_model,
        judge_prompt, job_id, fallback_because, cost_estimate_usd, 'queued',
        (SELECT 'judge_paused' FROM judge_pauses p WHERE p.judge_model = given.judge_model), 'bulk'
    FROM given
    ON CONFLICT (answer_id, workspace_id, judge_key) DO UPDATE SET
        status = 'queued', reason = excluded.reason, error = NULL, tries = 0, crashes = 0,
        queue = CASE WHEN e.queue = 'isolated' THEN e.queue ELSE excluded.queue END,
        run_at = now(), enqueued_at = NULL, finished_at = NULL, recheck_after = NULL,
        auto_refine = false,
        judge_model = excluded.judge_model, fallback_because = excluded.fallback_because,
        cost_estimate_usd = excluded.cost_estimate_usd,
        judge_prompt = excluded.judge_prompt, job_id = excluded.job_id
    WHERE e.status IN ('failed', 'skipped')
      AND (e.job_id IS DISTINCT FROM excluded.job_id OR excluded.job_id IS NULL)
    RETURNING e.id, e.workspace_id, e.answer_id, e.reason
), discarded AS (
    -- With the replies that it has failed on, it would only fail again.
    UPDATE judge_calls c SET discarded = true FROM added
    WHERE c.evaluation_id = added.id AND NOT c.discarded
), told AS (
    INSERT INTO verdict_events (workspace_id, evaluation_id, status)
    SELECT workspace_id, id, 'queued' FROM added
), woken AS (SELECT pg_notify('{EVENTS_CHANNEL}', '') FROM added LIMIT 1)
SELECT id, answer_id, reason, (SELECT count(*) FROM woken) FROM added
"""
ADD = text(_ADD.format(rows=":rows"))

PROGRESS = text("""
SELECT count(*) AS total,
    count(*) FILTER (WHERE status = 'succeeded') AS succeeded,
    count(*) FILTER (WHERE status = 'failed') AS failed,
    count(*) FILTER (WHERE status = 'skipped') AS cancelled,
    count(*) FILTER (WHERE status IN ('queued', 'running', 'retrying')) AS pending,
    count(*) FILTER (WHERE reason = 'judge_paused') AS paused,
    sum(cost_usd)::float8 AS cost_usd,
    COALESCE(sum(prompt_tokens), 0) AS prompt_tokens,
    COALESCE(sum(completion_tokens), 0) AS completion_tokens
FROM qa_evaluations WHERE workspace_id = :workspace_id AND job_id = :job_id
""")

# What is at the judge ends by itself; it is paid for.
WITHDRAW = text(f"""
WITH waiting AS (
    SELECT e.id FROM qa_evaluations e
    WHERE e.workspace_id = :workspace_id AND e.job_id = :job_id
      AND e.status IN ('queued', 'retrying')
      AND EXISTS (SELECT FROM jobs j WHERE j.id = :job_id AND j.status = 'cancelled')
    LIMIT :limit FOR UPDATE OF e
), withdrawn AS (
    UPDATE qa_evaluations e SET status = 'skipped', reason = 'cancelled', enqueued_at = NULL,
        finished_at = now()
    FROM waiting WHERE e.id = waiting.id
    RETURNING e.id, e.workspace_id
), told AS (
    INSERT INTO verdict_events (workspace_id, evaluation_id, status)
    SELECT workspace_id, id, 'skipped' FROM withdrawn
), woken AS (SELECT pg_notify('{EVENTS_CHANNEL}', '') FROM withdrawn LIMIT 1)
SELECT count(*), (SELECT count(*) FROM woken) FROM withdrawn
""")

# From here on for psycopg.
ADD_STAND_INS = _ADD.format(rows="%(rows)s")
