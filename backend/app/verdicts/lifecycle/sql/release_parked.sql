-- Lets rows that were in a batch be judged: due at once. Those with all of their replies, and no error
-- among them, need no money of the daily budget any more.
--
-- rows: JSON, id and attempt of each. answered: whether all that was asked for them has been answered.
UPDATE qa_evaluations e SET reason = NULL, run_at = now(), enqueued_at = NULL,
    cost_estimate_usd = CASE WHEN :answered AND NOT EXISTS (
        SELECT FROM judge_calls c
        WHERE c.evaluation_id = e.id AND c.attempt = e.attempt AND c.error IS NOT NULL
    ) THEN 0 ELSE e.cost_estimate_usd END
FROM jsonb_to_recordset(CAST(:rows AS jsonb)) AS r(id uuid, attempt int)
WHERE {parked}
