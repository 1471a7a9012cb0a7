-- Gives the rows of `ids` that are free to the worker `worker_id`, for `lease` seconds, with all
-- that judging needs. Rows of which there is no money left are put off instead.
--
-- ids, queues: arrays; a row is claimed only by a process of its queue, whatever message it came
-- by: what has killed workers must not meet others. Returns a row for each Lease.
--
-- `asked` has the states that are claimed as columns, so that the planner takes the rows by their ids
-- and never by the partial indexes on what waits: those are empty when plans are made, and each claim
-- from a backlog would go through all of it.
--
-- Workspaces with a daily budget are asked about in one order, because each of them is locked. Rows
-- that are in a batch are nobody's until it has ended, or its time is up.
WITH asked AS MATERIALIZED (
    SELECT DISTINCT unnest(%(ids)s::uuid[]) AS id, 'queued' AS fresh, 'retrying' AS retried
), free AS (
    SELECT e.id, e.workspace_id, e.cost_estimate_usd, e.judge_model, e.reason
    FROM asked JOIN qa_evaluations e ON e.id = asked.id
    WHERE e.queue = ANY(%(queues)s)
      AND (e.status = asked.fresh OR (e.status = asked.retried AND e.run_at <= now()))
      AND {not_paused} AND (e.reason IS DISTINCT FROM 'in_batch' OR e.run_at <= now())
    ORDER BY e.id FOR UPDATE OF e SKIP LOCKED
), costing AS MATERIALIZED (
    SELECT f.workspace_id, array_agg(f.id) AS ids
    FROM free f JOIN evaluation_policies p ON p.workspace_id = f.workspace_id
    -- Free judges take nothing from a budget; one without a known price waits for a price.
    WHERE p.daily_budget_usd IS NOT NULL AND (f.cost_estimate_usd > 0
        OR (f.cost_estimate_usd IS NULL AND f.judge_model !~ '^(offline|ollama):'))
    GROUP BY f.workspace_id ORDER BY f.workspace_id
), deferred AS MATERIALIZED (
    SELECT o.* FROM costing c, over_budget(c.workspace_id, c.ids) o
), put_off AS (
    UPDATE qa_evaluations e SET run_at = d.due_at, reason = d.why, enqueued_at = NULL
    FROM deferred d, qa_evaluations old WHERE e.id = d.evaluation_id AND old.id = e.id
    RETURNING e.id, e.workspace_id, e.status, e.reason, old.reason IS DISTINCT FROM e.reason AS is_news
), claimed AS (
    UPDATE qa_evaluations e SET
        status = 'running',
        reason = NULL,
        attempt = e.attempt + 1,
        worker_id = %(worker_id)s,
        lease_until = now() + make_interval(secs => %(lease)s),
        run_at = now() + make_interval(secs => %(lease)s),
        enqueued_at = NULL,
        started_at = COALESCE(e.started_at, now()),
        queue_ms = COALESCE(e.queue_ms, extract(epoch FROM now() - e.created_at) * 1000)
    FROM free
    WHERE e.id = free.id AND NOT EXISTS (SELECT FROM deferred d WHERE d.evaluation_id = free.id)
    RETURNING e.id, e.workspace_id, e.answer_id, e.attempt, e.tries, e.judge_model, e.evaluators,
              e.judge_prompt, e.is_current, e.calls_counted_after, e.cascade,
              {mid_cascade} AS mid_cascade, free.reason, e.queue, e.created_at
), news AS (
    SELECT workspace_id, id, 'running' AS status, attempt, NULL AS reason FROM claimed
    UNION ALL SELECT workspace_id, id, status, NULL, reason FROM put_off WHERE is_news
), events AS (
    INSERT INTO verdict_events (workspace_id, evaluation_id, status, attempt, reason)
    SELECT workspace_id, id, status, attempt, reason FROM news
), notified AS (SELECT pg_notify('{events_channel}', '') FROM news LIMIT 1)
{lease}
WHERE (SELECT count(*) FROM notified) >= 0
