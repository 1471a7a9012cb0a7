-- The row of a new answer and its event. Returns the reason of the row: why it is skipped, or that
-- its judge is paused. Where the judge is failing another stands in at the dispatcher's next tick,
-- or that corrects the reason (fall_back.sql).
WITH row AS (
    INSERT INTO qa_evaluations (
        id, workspace_id, answer_id, judge_key, evaluators, judge_model, judge_prompt, status,
        auto_refine, policy_version, cost_estimate_usd, cascade, cascade_costs, queue, run_at,
        finished_at, reason)
    VALUES (
        %(id)s, %(workspace_id)s, %(answer_id)s, %(judge_key)s, %(evaluators)s, %(judge_model)s,
        %(judge_prompt)s, %(status)s::text, %(auto_refine)s, %(policy_version)s,
        %(cost_estimate_usd)s, %(cascade)s::text[], %(cascade_costs)s::numeric[], 'live',
        now() + interval '{publish_grace_seconds} second',
        CASE WHEN %(status)s::text = 'skipped' THEN now() END,
        COALESCE(%(reason)s, (
            SELECT CASE kind WHEN 'failing' THEN 'fallback' ELSE 'judge_paused' END
            FROM judge_pauses WHERE judge_model = %(judge_model)s)))
    RETURNING workspace_id, id, status, reason
), events AS (
    INSERT INTO verdict_events (workspace_id, evaluation_id, status, reason)
    SELECT workspace_id, id, status, reason FROM row
)
SELECT reason FROM row
