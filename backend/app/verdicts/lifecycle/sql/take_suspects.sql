-- As take_due, of the queue of suspects: few, and the most suspicious first, who acquit the others
-- if they are guilty.
WITH due AS (
    SELECT e.id FROM qa_evaluations e
    WHERE {in_queue} AND {to_publish} AND {not_paused}
    ORDER BY (
        SELECT sum(s.share) FROM crash_suspects s WHERE s.evaluation_id = e.id
    ) DESC NULLS LAST, run_at
    LIMIT %(limit)s FOR UPDATE OF e SKIP LOCKED
)
UPDATE qa_evaluations e SET enqueued_at = now()
FROM due WHERE e.id = due.id
RETURNING e.id
