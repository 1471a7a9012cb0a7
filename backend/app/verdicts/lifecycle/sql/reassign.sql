-- Gives answers that wait for a judge to the judge of today's policy; the caller commits.
--
-- rows: JSON, one object for each. Returns how many were given to it. What has its verdict, or is
-- being judged, meanwhile is left alone.
WITH given AS (
    SELECT r.*, {answer_cost} AS cost_estimate_usd
    FROM jsonb_to_recordset(CAST(:rows AS jsonb)) AS r(
        answer_id uuid, judge_key text, evaluators text[], judge_model text, judge_prompt text,
        cost_usd numeric, cost_usd_a_byte numeric)
    JOIN qa_answers a ON a.id = r.answer_id AND a.workspace_id = :workspace_id
), moved AS (
    UPDATE qa_evaluations e SET
        judge_model = g.judge_model, judge_key = g.judge_key, judge_prompt = g.judge_prompt,
        evaluators = g.evaluators, cost_estimate_usd = g.cost_estimate_usd,
        cascade = NULL, cascade_costs = NULL, fallback_because = NULL,
        reason = (SELECT 'judge_paused' FROM judge_pauses p WHERE p.judge_model = g.judge_model),
        tries = 0, run_at = now(), enqueued_at = NULL
    FROM given g
    WHERE e.answer_id = g.answer_id AND e.workspace_id = :workspace_id AND e.is_current
      AND e.status IN ({waiting}) AND e.judge_model = ANY(:stopped)
      AND NOT EXISTS (SELECT FROM qa_evaluations same WHERE same.answer_id = e.answer_id
                      AND same.workspace_id = e.workspace_id AND same.judge_key = g.judge_key)
    RETURNING e.id, e.workspace_id, e.status, e.reason
), events AS (
    INSERT INTO verdict_events (workspace_id, evaluation_id, status, reason)
    SELECT workspace_id, id, status, reason FROM moved
), notified AS (SELECT pg_notify('{events_channel}', '') FROM moved LIMIT 1)
SELECT count(*), (SELECT count(*) FROM notified) FROM moved
