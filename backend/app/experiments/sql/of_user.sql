-- Copies of deleted answers, which refer to them by no key.

-- name: copies
-- Of results and labelled answers the figures stay. Results outlive their cases: those of a case
-- that is gone are found by its question.
WITH cases AS (
    DELETE FROM eval_test_cases
    WHERE workspace_id = :workspace_id AND source ->> 'answer_id' = ANY(:refs) RETURNING id
), results AS (
    UPDATE eval_results r SET question = '', generated_answer = NULL, error = NULL,
        faithfulness_reasoning = NULL, answer_relevancy_reasoning = NULL, criteria = NULL
    WHERE r.workspace_id = :workspace_id AND (r.test_case_id IN (SELECT id FROM cases)
        OR r.question IN (
            SELECT COALESCE(standalone_question, question) FROM qa_answers
            WHERE workspace_id = :workspace_id AND id = ANY(:answers))
        AND NOT EXISTS (
            SELECT FROM eval_test_cases c
            WHERE c.workspace_id = :workspace_id AND c.id = r.test_case_id))
    RETURNING r.run_id
), items AS (
    UPDATE judge_bench_items i SET question = '', answer = '', passages = '{}', spans = NULL
    FROM judge_benches b
    WHERE b.id = i.bench_id AND b.workspace_id = :workspace_id AND b.source = 'feedback'
      AND i.workspace_id = :workspace_id AND i.ref = ANY(:refs) RETURNING i.bench_id
)
SELECT 'eval_test_cases' AS name, count(*) AS rows FROM cases
UNION ALL SELECT 'eval_results', count(*) FROM results
UNION ALL SELECT 'judge_bench_items', count(*) FROM items
