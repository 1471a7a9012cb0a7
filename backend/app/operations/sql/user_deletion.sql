-- All of one user, in batches. user_ref: as the application wrote it, or as it is stored.

-- name: answers
-- Locked in the order of their ids.
SELECT id, split_part(traceparent, '-', 2) AS trace_id FROM qa_answers
WHERE workspace_id = :workspace_id
  AND user_ref IN (stored_user_ref(:workspace_id, :user_ref), :user_ref)
ORDER BY id LIMIT :limit FOR UPDATE

-- name: evaluations
SELECT id FROM qa_evaluations WHERE workspace_id = :workspace_id AND answer_id = ANY(:answers)

-- name: counted
SELECT '{table}' AS name, count(*) AS rows FROM {table}
WHERE workspace_id = :workspace_id AND {column} = ANY(:{rows})

-- name: copies
-- Before the answers: their texts in datasets, runs and benches, which refer to them by no key. Of
-- results and labelled answers the figures stay. Spans that wait for their trace go with it.
WITH cases AS (
    DELETE FROM eval_test_cases
    WHERE workspace_id = :workspace_id AND source ->> 'answer_id' = ANY(:refs) RETURNING id
), results AS (
    UPDATE eval_results r SET question = '', generated_answer = NULL, error = NULL,
        faithfulness_reasoning = NULL, answer_relevancy_reasoning = NULL, criteria = NULL
    FROM cases WHERE r.workspace_id = :workspace_id AND r.test_case_id = cases.id RETURNING r.run_id
), items AS (
    UPDATE judge_bench_items i SET question = '', answer = '', passages = '{}', spans = NULL
    FROM judge_benches b
    WHERE b.id = i.bench_id AND b.workspace_id = :workspace_id AND b.source = 'feedback'
      AND i.workspace_id = :workspace_id AND i.ref = ANY(:refs) RETURNING i.bench_id
), traced AS (
    DELETE FROM traces WHERE workspace_id = :workspace_id AND trace_id = ANY(:traces)
    RETURNING trace_id
)
SELECT 'eval_test_cases' AS name, count(*) AS rows FROM cases
UNION ALL SELECT 'eval_results', count(*) FROM results
UNION ALL SELECT 'judge_bench_items', count(*) FROM items
UNION ALL SELECT 'traces', count(*) FROM traced

-- name: delete_answers
-- What hangs on them goes by foreign keys. The receipt stands for each of them in the audit log.
WITH nobody AS MATERIALIZED (SELECT set_config('app.actor', '', true) AS before)
DELETE FROM qa_answers USING nobody WHERE workspace_id = :workspace_id AND id = ANY(:answers)

-- name: emptied_failures
-- Groups of doubted answers that have none left, with their words, and what webhooks were sent.
WITH groups AS (
    DELETE FROM recurring_failures f
    WHERE f.workspace_id = :workspace_id AND NOT EXISTS (
        SELECT FROM recurring_failure_answers a WHERE a.failure_id = f.id)
    RETURNING id
), deliveries AS (
    DELETE FROM webhook_deliveries d USING groups
    WHERE d.workspace_id = :workspace_id AND d.data ->> 'failure_id' = groups.id::text RETURNING d.id
)
SELECT 'recurring_failures' AS name, count(*) AS rows FROM groups
UNION ALL SELECT 'webhook_deliveries', count(*) FROM deliveries

-- name: left_over
-- Once: traces that are not settled, and lists that somebody has saved for this user.
WITH waiting AS (
    DELETE FROM traces t WHERE t.workspace_id = :workspace_id AND EXISTS (
        SELECT FROM trace_spans s
        WHERE s.workspace_id = t.workspace_id AND s.trace_id = t.trace_id
          AND {of_span})
    RETURNING trace_id
), lists AS (
    DELETE FROM saved_views WHERE workspace_id = :workspace_id AND {of_list} RETURNING id
)
SELECT 'traces' AS name, count(*) AS rows FROM waiting
UNION ALL SELECT 'saved_views', count(*) FROM lists

-- name: receipt
SELECT record_user_deletion(:workspace_id, :user_ref, CAST(:deleted AS jsonb))
