-- Probes one waiting row per paused judge that is due; `probe_at` stays due until a row arrives,
-- because rows that another judge may take do not wait for long. pause: seconds.
--
-- A failing judge is half-open: its next probe waits for the end of the one before, longer each
-- time. Rows that have failed before come last, after them suspects: one of them may be what the
-- judge failed on. Rows that wait for the budget could not be claimed. MATERIALIZED, because a plan
-- that looks for the first row again for each row of the table finds another one every time.
WITH due AS MATERIALIZED (
    SELECT judge_model FROM judge_pauses p
    WHERE probe_at <= now() AND (kind = 'configuration' OR NOT EXISTS (
        SELECT FROM qa_evaluations e WHERE e.id = p.probe_id AND (
            (e.status = 'running' AND e.attempt = p.probe_attempt)
            OR (e.status IN ({waiting}) AND e.reason = 'probe'))))
    ORDER BY judge_model FOR UPDATE SKIP LOCKED
), first AS MATERIALIZED (
    SELECT due.judge_model, waiting.id, waiting.attempt + 1 AS attempt FROM due, LATERAL (
        SELECT id, attempt FROM qa_evaluations w
        WHERE w.judge_model = due.judge_model AND w.status IN ({waiting})
          AND COALESCE(w.reason, '') NOT IN ({budget_reasons}, 'in_batch')
        ORDER BY w.queue = 'isolated', w.tries, w.run_at LIMIT 1 FOR UPDATE SKIP LOCKED
    ) waiting
), sent AS (
    UPDATE judge_pauses p SET
        probe_at = now() + CASE p.reason WHEN '{unsuitable}' THEN interval '{unsuitable_probe}' ELSE
            make_interval(secs => least(COALESCE(2 * p.probe_seconds, %(pause)s), %(pause)s)) END,
        probe_seconds = CASE p.kind WHEN 'failing' THEN least(2 * p.probe_seconds, %(pause)s) END,
        probe_id = first.id,
        probe_attempt = first.attempt
    FROM first WHERE p.judge_model = first.judge_model
)
UPDATE qa_evaluations e SET reason = 'probe', run_at = now(), enqueued_at = NULL
FROM first WHERE e.id = first.id
