-- Each kind of issue of a current verdict.
SELECT v.answered_at AS at, v.judge_model, i.kind::text AS kind, count(*)::int AS issues, 1 AS answers,
    max(NULLIF(i.detail, '')) AS example
FROM analytics.verdicts v
JOIN analytics.issues i ON i.evaluation_id = v.evaluation_id
WHERE v.is_current AND v.status = 'succeeded'
    AND {filters}
GROUP BY v.evaluation_id, v.answered_at, v.judge_model, i.kind
