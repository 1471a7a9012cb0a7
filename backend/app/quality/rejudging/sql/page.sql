-- The next verdicts of the workspace as they were put in, whether they match or not, so that a
-- filter that nothing matches reads no more of them at once. What came after the job is left out:
-- its own.
--
-- after_at, after_id: the last one seen. {among}: which verdicts are looked at.
SELECT p.id, p.created_at, m.answer_id, m.evaluators
FROM (
    SELECT e.id, e.created_at FROM qa_evaluations e
    WHERE e.workspace_id = :workspace_id AND {among}
      AND (e.created_at, e.id) > (CAST(:after_at AS timestamptz), CAST(:after_id AS uuid))
      AND e.created_at < (SELECT created_at FROM jobs WHERE id = :job_id)
    ORDER BY e.created_at, e.id LIMIT :limit
) p LEFT JOIN LATERAL (
    SELECT e.answer_id, e.evaluators FROM qa_evaluations e
    WHERE e.id = p.id AND {current} AND cardinality(e.evaluators) > 0
      AND {matches}
) m ON true
ORDER BY p.created_at, p.id
