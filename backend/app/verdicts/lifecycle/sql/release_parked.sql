-- Lets rows that were in a batch be judged: due at once. Those with all of their replies (paid) need
-- no money of the daily budget any more.
--
-- rows: JSON, id, attempt and paid of each.
UPDATE qa_evaluations e SET reason = NULL, run_at = now(), enqueued_at = NULL,
    cost_estimate_usd = CASE WHEN r.paid THEN 0 ELSE e.cost_estimate_usd END
FROM jsonb_to_recordset(CAST(:rows AS jsonb)) AS r(id uuid, attempt int, paid bool)
WHERE {parked}
