-- What `searchqa demo` prints: the title of each query, then the query and its result.

-- Answers by state, judge and confidence
SELECT e.status, e.provider || ':' || e.model AS judged_by, e.degraded,
       e.confidence, count(*) AS answers
FROM qa_evaluations e
JOIN workspaces w ON w.id = e.workspace_id AND w.name = 'demo'
WHERE e.is_current
GROUP BY 1, 2, 3, 4 ORDER BY 5 DESC, 1, 2, 3, 4

-- Milliseconds from answer to verdict
SELECT round(percentile_cont(0.5) WITHIN GROUP (ORDER BY ms))::int AS median,
       round(percentile_cont(0.95) WITHIN GROUP (ORDER BY ms))::int AS p95,
       count(*) AS verdicts
FROM (
    SELECT extract(epoch FROM e.finished_at - e.created_at)::float8 * 1000
           AS ms
    FROM qa_evaluations e
    JOIN workspaces w ON w.id = e.workspace_id AND w.name = 'demo'
    WHERE e.status = 'succeeded'
) timed

-- Notes that answers cite most
SELECT s.title, count(*) FILTER (WHERE c.cited) AS cited,
       count(*) AS given
FROM qa_evaluation_sources c
JOIN qa_evaluations e ON e.id = c.evaluation_id AND e.is_current
JOIN workspaces w ON w.id = e.workspace_id AND w.name = 'demo'
JOIN qa_answer_sources s
  ON s.answer_id = e.answer_id AND s.note_index = c.note_index
GROUP BY 1 ORDER BY 2 DESC, 3, 1 LIMIT 5
