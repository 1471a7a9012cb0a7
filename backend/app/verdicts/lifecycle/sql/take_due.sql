-- Stamps the rows of the queue `queue` that are to be published now, at most `limit`, and returns
-- their ids.
--
-- By judge and workspace in turn, the oldest of each first, and no more of one of them than
-- `window` are published and not claimed: what a slow judge has waiting is neither published again
-- and again nor ahead of others. Rows of paused judges, however many, are not looked at; of those
-- only the probes and those for the rules are due. Where many groups have rows due, each gets its
-- part, or `least` if that is more. What is found is locked by its id: without the words of the
-- index of what waits, no plan goes through that again.
WITH RECURSIVE groups AS (
    (SELECT judge_model, workspace_id FROM qa_evaluations e
     WHERE {in_queue} ORDER BY judge_model, workspace_id LIMIT 1)
    UNION ALL
    SELECT next.* FROM groups g CROSS JOIN LATERAL (
        SELECT judge_model, workspace_id FROM qa_evaluations e
        WHERE {in_queue} AND (e.judge_model, e.workspace_id) > (g.judge_model,
            CASE WHEN EXISTS (SELECT FROM judge_pauses p WHERE p.judge_model = g.judge_model)
            THEN 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid ELSE g.workspace_id END)
        ORDER BY judge_model, workspace_id LIMIT 1
    ) next
), with_room AS MATERIALIZED (
    SELECT g.*, %(window)s - published.count AS room
    FROM groups g CROSS JOIN LATERAL (
        SELECT count(*) FROM (
            SELECT FROM qa_evaluations e
            WHERE {in_queue}
              AND e.judge_model = g.judge_model AND e.workspace_id = g.workspace_id
              AND e.enqueued_at >= now() - make_interval(secs => %(republish)s)
            LIMIT %(window)s
        ) latest
    ) published CROSS JOIN LATERAL (
        SELECT FROM qa_evaluations e
        WHERE {in_queue} AND {to_publish}
          AND e.judge_model = g.judge_model AND e.workspace_id = g.workspace_id
        ORDER BY run_at LIMIT 1
    ) oldest
    WHERE published.count < %(window)s
      AND NOT EXISTS (SELECT FROM judge_pauses p WHERE p.judge_model = g.judge_model)
), part AS MATERIALIZED (
    SELECT greatest(%(limit)s / greatest(count(*), 1), %(least)s) AS size FROM with_room
), found AS (
    SELECT due.* FROM part, with_room g CROSS JOIN LATERAL (
        SELECT id, run_at, row_number() OVER (ORDER BY run_at) AS turn FROM (
            SELECT id, run_at FROM qa_evaluations e
            WHERE {in_queue} AND {to_publish}
              AND e.judge_model = g.judge_model AND e.workspace_id = g.workspace_id
            ORDER BY run_at LIMIT least(g.room, %(limit)s, part.size)
        ) oldest
    ) due
    UNION ALL
    SELECT id, run_at, 0 FROM qa_evaluations e
    WHERE {in_queue} AND {to_publish} AND reason IN ('probe', 'rules_fallback')
), due AS (
    SELECT e.id FROM qa_evaluations e
    WHERE e.id IN (SELECT id FROM found ORDER BY turn, run_at LIMIT %(limit)s)
      AND e.finished_at IS NULL AND {to_publish}
    FOR UPDATE SKIP LOCKED
)
UPDATE qa_evaluations e SET enqueued_at = now()
FROM due WHERE e.id = due.id
RETURNING e.id
