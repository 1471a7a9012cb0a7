-- Has rows of a batch wait for another one.
--
-- rows: JSON, id and attempt of each.
UPDATE qa_evaluations e SET reason = 'for_batch'
FROM jsonb_to_recordset(CAST(:rows AS jsonb)) AS r(id uuid, attempt int)
WHERE {parked}
