-- What the answers of one day, from `since` to before `until`, add to the series: a row for each
-- judge that was asked, as DaySums has it. unjudged: the states without a verdict.
SELECT judge_model, count(*) AS answers, count(*) FILTER (WHERE status <> 'skipped') AS asked,
    count(correctness) FILTER (WHERE NOT degraded) AS scored,
    count(*) FILTER (WHERE status IN ({unjudged})) AS unjudged,
    COALESCE(sum(correctness) FILTER (WHERE NOT degraded), 0) AS total,
    COALESCE(sum(correctness * correctness) FILTER (WHERE NOT degraded), 0) AS squares
FROM qa_evaluations
WHERE workspace_id = %(workspace_id)s AND is_current
    AND answered_at >= %(since)s::timestamp AT TIME ZONE %(zone)s
    AND answered_at < %(until)s::timestamp AT TIME ZONE %(zone)s
GROUP BY judge_model
ORDER BY judge_model
