-- Takes rows of one workspace and judge for a batch, at most `limit`, the oldest first, as far as the
-- daily budget goes. Nobody else judges them until they are released (release_parked.sql) or due:
-- `run_at`, the end of the time that they may wait, stays as it is.
--
-- The attempt is raised as by a claim: a reply of the batch is stored for this attempt, and the next
-- one finds it. Returns id, attempt, cost_estimate_usd and run_at of each.
WITH waiting AS MATERIALIZED (
    SELECT e.id FROM qa_evaluations e
    WHERE e.reason = 'for_batch' AND e.workspace_id = %(workspace_id)s
      AND e.judge_model = %(judge_model)s AND e.run_at > now()
      AND e.status IN ({waiting}) AND e.queue = 'bulk'
    ORDER BY e.run_at LIMIT %(limit)s FOR UPDATE OF e SKIP LOCKED
), over AS MATERIALIZED (
    SELECT o.evaluation_id
    FROM over_budget(%(workspace_id)s, ARRAY(SELECT id FROM waiting)) o
)
UPDATE qa_evaluations e SET attempt = e.attempt + 1, reason = 'in_batch', enqueued_at = NULL
FROM waiting WHERE e.id = waiting.id AND e.id NOT IN (SELECT evaluation_id FROM over)
RETURNING e.id, e.attempt, e.cost_estimate_usd, e.run_at
