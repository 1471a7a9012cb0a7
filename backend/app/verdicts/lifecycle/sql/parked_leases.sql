-- What is to be judged of rows that are in a batch: a row for each Lease.
--
-- rows: JSON, id and attempt of each. Those that are in no batch any more are left out.
WITH claimed AS (
    SELECT e.id, e.workspace_id, e.answer_id, e.attempt, e.tries, e.judge_model, e.evaluators,
           e.judge_prompt, e.is_current, e.calls_counted_after, e.reason, e.cascade,
           false AS mid_cascade, e.queue, e.created_at
    FROM jsonb_to_recordset(CAST(:rows AS jsonb)) AS r(id uuid, attempt int)
    JOIN qa_evaluations e ON {parked}
)
{lease}
