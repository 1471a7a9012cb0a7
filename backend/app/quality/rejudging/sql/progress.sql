-- Counts what a job has had judged again: what waits, of which there is a bound (job.py), and what
-- ended after `since`, until `until` where that is given. What ended a minute ago changes no more,
-- and its transaction is over; FOR_GOOD counts it, so that nobody has to read it again.
SELECT count(*) AS total,
    count(*) FILTER (WHERE status = 'succeeded') AS succeeded,
    count(*) FILTER (WHERE status = 'failed') AS failed,
    count(*) FILTER (WHERE status = 'skipped') AS cancelled,
    count(*) FILTER (WHERE finished_at IS NULL) AS pending,
    count(*) FILTER (WHERE reason = 'judge_paused') AS paused,
    count(*) FILTER (
        WHERE finished_at IS NULL AND reason IN ('for_batch', 'in_batch')) AS batched,
    sum(cost_usd)::float8 AS cost_usd,
    COALESCE(sum(prompt_tokens), 0) AS prompt_tokens,
    COALESCE(sum(completion_tokens), 0) AS completion_tokens
FROM (
    SELECT * FROM qa_evaluations
    WHERE job_id = :job_id AND finished_at IS NULL AND CAST(:until AS timestamptz) IS NULL
    UNION ALL
    SELECT * FROM qa_evaluations
    WHERE job_id = :job_id AND finished_at > CAST(:since AS timestamptz)
      AND (CAST(:until AS timestamptz) IS NULL OR finished_at <= CAST(:until AS timestamptz))
) e WHERE workspace_id = :workspace_id
