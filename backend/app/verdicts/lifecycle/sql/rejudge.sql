-- Adds a second evaluation to answers; it counts only when its verdict is there (record.sql).
--
-- rows: JSON, one object for each. Returns id, answer and reason of those that are to be judged.
--
-- A row that has failed or was skipped is judged itself, by the judge that is asked for even where
-- another stood in for it, but only once for a job: it may be put in again after a crash. Answers
-- that are being deleted are waited for, and then not there.
--
-- Where the workspace wants bulk rows judged in batches and the judge's provider has them
-- (can_batch), a row waits for one. It is due, for a call, when it has waited for too long.
WITH given AS (
    SELECT r.*, a.workspace_id, a.created_at AS answered_at,
        {answer_cost} AS cost_estimate_usd,
        CASE WHEN r.can_batch AND w.bulk_by = 'batch'
            THEN make_interval(hours => COALESCE(w.batch_hours, {batch_hours})) END AS batch_wait
    FROM jsonb_to_recordset(CAST({rows} AS jsonb)) AS r(
        id uuid, answer_id uuid, judge_key text, evaluators text[], judge_model text,
        judge_prompt text, job_id uuid, fallback_because text, cost_usd numeric,
        cost_usd_a_byte numeric, can_batch bool)
    JOIN qa_answers a ON a.id = r.answer_id
    LEFT JOIN evaluation_policies w ON w.workspace_id = a.workspace_id
    FOR KEY SHARE OF a
), added AS (
    INSERT INTO qa_evaluations AS e (id, workspace_id, answer_id, answered_at, judge_key,
        is_current, evaluators, judge_model, judge_prompt, job_id, fallback_because,
        cost_estimate_usd, status, reason, queue, run_at)
    SELECT id, workspace_id, answer_id, answered_at, judge_key, false, evaluators, judge_model,
        judge_prompt, job_id, fallback_because, cost_estimate_usd, 'queued',
        CASE WHEN batch_wait IS NULL THEN (
            SELECT 'judge_paused' FROM judge_pauses p WHERE p.judge_model = given.judge_model)
        ELSE 'for_batch' END, 'bulk', now() + COALESCE(batch_wait, interval '0')
    FROM given
    ON CONFLICT (answer_id, workspace_id, judge_key) DO UPDATE SET
        status = 'queued', error = NULL, tries = 0, crashes = 0,
        calls_counted_after = e.attempt,
        -- What may crash workers is for a process of its own.
        queue = CASE WHEN e.queue = 'isolated' THEN e.queue ELSE excluded.queue END,
        reason = CASE WHEN e.queue = 'isolated' THEN NULLIF(excluded.reason, 'for_batch')
            ELSE excluded.reason END,
        run_at = CASE WHEN e.queue = 'isolated' THEN now() ELSE excluded.run_at END,
        enqueued_at = NULL, finished_at = NULL, recheck_after = NULL,
        auto_refine = false, cascade = NULL, cascade_costs = NULL,
        judge_model = excluded.judge_model, fallback_because = excluded.fallback_because,
        cost_estimate_usd = excluded.cost_estimate_usd,
        judge_prompt = excluded.judge_prompt, job_id = excluded.job_id
    WHERE e.status IN ({unjudged})
      AND (e.job_id IS DISTINCT FROM excluded.job_id OR excluded.job_id IS NULL)
    RETURNING e.id, e.workspace_id, e.answer_id, e.reason
), discarded AS (
    -- With the replies that it has failed on, it would only fail again.
    UPDATE judge_calls c SET discarded = true FROM added
    WHERE c.evaluation_id = added.id AND NOT c.discarded
), unasked AS (
    DELETE FROM qa_cascade_steps s USING added WHERE s.evaluation_id = added.id
), cleared AS (
    DELETE FROM crash_suspects s USING added WHERE s.evaluation_id = added.id
), events AS (
    INSERT INTO verdict_events (workspace_id, evaluation_id, status, reason)
    SELECT workspace_id, id, 'queued', reason FROM added
), notified AS (SELECT pg_notify('{events_channel}', '') FROM added LIMIT 1)
SELECT id, answer_id, reason, (SELECT count(*) FROM notified) FROM added
