-- What the answers of one day, from `since` to before `until`, add to the series: a row for each
-- judge that was asked, as DaySums has it. unjudged: the states without a verdict.
SELECT judge_model, count(*) AS answers, count(*) FILTER (WHERE status <> 'skipped') AS asked,
    count(correctness) FILTER (WHERE NOT degraded) AS judged,
    count(correctness) FILTER (WHERE scores) AS scored,
    count(*) FILTER (WHERE status IN ({unjudged})) AS unjudged,
    COALESCE(sum(correctness) FILTER (WHERE scores), 0) AS total,
    COALESCE(sum(correctness * correctness) FILTER (WHERE scores), 0) AS squares
FROM qa_evaluations
CROSS JOIN LATERAL (
    SELECT NOT degraded AND outcome IS DISTINCT FROM 'rightly_refused' AS scores
) s
WHERE workspace_id = %(workspace_id)s AND is_current
    AND answered_at >= %(since)s::timestamp AT TIME ZONE %(zone)s
    AND answered_at < %(until)s::timestamp AT TIME ZONE %(zone)s
GROUP BY judge_model
ORDER BY judge_model
