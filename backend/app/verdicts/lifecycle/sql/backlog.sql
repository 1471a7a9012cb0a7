-- What is due and what is being judged, of all workspaces: a row for each queue and judge that has
-- any, with
--   queue, judge_model
--   due             rows that may be claimed now, counted up to `max_counted`
--   oldest_seconds  how long the oldest of them has been due; NULL where none is
--   running         rows that workers hold
--   expired         those of them whose lease has ended, which the dispatcher is to take back
--   paused          `configuration` or `failing` where the judge is paused; else NULL
--
-- It runs often and beside millions of verdicts, so it steps through the index of what waits from
-- one workspace to the next and reads the oldest row of each.
WITH RECURSIVE groups AS (
    (SELECT queue, judge_model, workspace_id FROM qa_evaluations
     WHERE status IN ({waiting}) ORDER BY queue, judge_model, workspace_id LIMIT 1)
    UNION ALL
    SELECT next.* FROM groups g CROSS JOIN LATERAL (
        SELECT queue, judge_model, workspace_id FROM qa_evaluations e
        WHERE status IN ({waiting}) AND (e.queue, e.judge_model, e.workspace_id)
            > (g.queue, g.judge_model, g.workspace_id)
        ORDER BY queue, judge_model, workspace_id LIMIT 1
    ) next
), oldest AS (
    SELECT g.queue, g.judge_model, min(first.run_at) AS run_at
    FROM groups g CROSS JOIN LATERAL (
        SELECT run_at FROM qa_evaluations e
        WHERE status IN ({waiting}) AND run_at <= now() AND e.queue = g.queue
          AND e.judge_model = g.judge_model AND e.workspace_id = g.workspace_id
        ORDER BY run_at LIMIT 1
    ) first
    GROUP BY g.queue, g.judge_model
), due AS (
    SELECT o.queue, o.judge_model, o.run_at, counted.due
    FROM oldest o CROSS JOIN LATERAL (
        SELECT count(*) AS due FROM (
            SELECT FROM qa_evaluations e
            WHERE status IN ({waiting}) AND run_at <= now() AND e.queue = o.queue
              AND e.judge_model = o.judge_model
            LIMIT %(max_counted)s
        ) counted_up_to
    ) counted
), running AS (
    SELECT queue, judge_model, count(*) AS running,
        count(*) FILTER (WHERE run_at <= now()) AS expired
    FROM qa_evaluations WHERE status = 'running' GROUP BY queue, judge_model
)
SELECT queue, judge_model, COALESCE(d.due, 0), extract(epoch FROM now() - d.run_at)::float8,
    COALESCE(r.running, 0), COALESCE(r.expired, 0), p.kind
FROM due d FULL JOIN running r USING (queue, judge_model)
LEFT JOIN judge_pauses p USING (judge_model)
ORDER BY queue, judge_model
