-- Verdicts and how long they took, one by one.
SELECT v.evaluation_id, v.verdict_ms
FROM analytics.verdicts v
WHERE v.status = 'succeeded' AND v.finished_at IS NOT NULL
    AND {filters}
