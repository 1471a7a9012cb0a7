-- Refinements and their iterations.

-- name: answer
SELECT e.id AS evaluation_id, e.status, e.answer_id,
    COALESCE(a.standalone_question, a.question) AS question, a.answer, a.lang, a.profile,
    a.slots, a.search_method, a.notebook_id, a.feature, a.traceparent, e.judge_model,
    e.judge_prompt, e.evaluators, e.provider, e.model, e.prompt_version, e.degraded,
    e.correctness, e.utility, e.confidence, e.overall_score AS verdict_overall
FROM qa_evaluations e JOIN qa_answers a ON a.id = e.answer_id
WHERE e.workspace_id = :workspace_id AND e.id = :evaluation_id

-- name: sources
SELECT note_index, note_id, title, content FROM qa_answer_sources
WHERE workspace_id = :workspace_id AND answer_id = :answer_id ORDER BY note_index

-- name: view
-- A refinement is as far as its job is.
SELECT r.id, r.evaluation_id, j.status, j.error, r.automatic, r.threshold, r.max_iterations,
    r.stop_reason, r.best_iteration, r.lift, r.correctness_lift, r.utility_lift, r.relevance,
    r.targeted_retrieval, r.first_precision, r.first_recall, r.last_precision, r.last_recall,
    r.created_at, r.finished_at
FROM refinements r JOIN jobs j ON j.id = r.id
WHERE r.workspace_id = :workspace_id

-- name: relevant_notes
-- By any version of a dataset, because people correct one by making another.
SELECT DISTINCT n.note_id::text FROM eval_test_cases c
JOIN note_chunks n ON n.workspace_id = c.workspace_id AND n.id::text = ANY(c.ground_truth_chunk_ids)
WHERE c.workspace_id = :workspace_id AND c.question = :question
