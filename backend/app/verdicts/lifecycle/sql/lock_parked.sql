-- Locks the rows that a batch has replies for, so that none is deleted or claimed meanwhile.
--
-- rows: JSON, id and attempt of each. Returns the ids that there still are, and whether they are
-- still in the batch.
SELECT e.id, {parked} AS parked
FROM qa_evaluations e JOIN jsonb_to_recordset(CAST(:rows AS jsonb)) AS r(id uuid, attempt int)
    ON e.id = r.id
ORDER BY e.id FOR UPDATE OF e
