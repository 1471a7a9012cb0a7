-- Datasets, runs, benches and trials.

-- name: lock_name
SELECT pg_advisory_xact_lock(hashtextextended(:workspace_id || :name, 0))

-- name: datasets
SELECT d.*, (SELECT count(*) FROM eval_test_cases c WHERE c.dataset_id = d.id) AS cases
FROM eval_datasets d WHERE d.workspace_id = :workspace_id

-- name: existing_chunks
-- Chunks of notes that changed are new ones: their old ids are gone.
SELECT id::text FROM note_chunks
WHERE workspace_id = :workspace_id AND id::text = ANY(:ids)

-- name: chunks
SELECT c.id::text AS id, c.note_id::text AS note_id, n.title, c.content
FROM note_chunks c JOIN notes n ON n.id = c.note_id
WHERE c.workspace_id = :workspace_id AND c.notebook_id = :notebook_id
ORDER BY c.note_id, c.position

-- name: chunks_of_notes
SELECT id::text AS id, note_id, content FROM note_chunks
WHERE workspace_id = :workspace_id AND note_id = ANY(:note_ids) ORDER BY note_id, position

-- name: passages
SELECT c.id::text AS id, c.note_id, n.title, c.content
FROM note_chunks c JOIN notes n ON n.id = c.note_id
WHERE c.workspace_id = :workspace_id AND c.id::text = ANY(:ids) ORDER BY c.id

-- name: runs
-- A job that was deferred has the reason before the colon of its error.
SELECT r.*, (SELECT count(*) FROM eval_results e WHERE e.run_id = r.id) AS done,
    w.waits_for, w.waits_until
FROM eval_runs r LEFT JOIN LATERAL (
    SELECT split_part(j.error, ':', 1) AS waits_for, j.run_at AS waits_until
    FROM jobs j
    WHERE r.status IN ({unfinished}) AND j.workspace_id = r.workspace_id
      AND j.kind = '{evaluate_cases}' AND j.payload ->> 'run_id' = r.id::text
      AND j.status = 'retrying' AND split_part(j.error, ':', 1) IN ({budget_reasons})
    ORDER BY j.run_at LIMIT 1
) w ON true
WHERE r.workspace_id = :workspace_id

-- name: benches
SELECT b.*, b.items * cardinality(array_remove(b.judges, 'jury')) AS total,
    (SELECT count(*) FROM judge_bench_results r WHERE r.bench_id = b.id) AS done,
    (SELECT count(*) FROM judge_bench_results r WHERE r.bench_id = b.id AND r.error IS NOT NULL)
        AS failed
FROM judge_benches b WHERE b.workspace_id = :workspace_id

-- name: bench_results
SELECT r.position, r.judge, i.ref, i.hallucinated, i.grade, i.cell, i.spans AS human_spans, r.spans,
    r.score, r.scores, r.confidence, r.decided, r.prompt_tokens, r.completion_tokens, r.cost_usd,
    r.latency_ms, r.error, r.made_by
FROM judge_bench_results r
JOIN judge_bench_items i ON i.bench_id = r.bench_id AND i.position = r.position
WHERE r.workspace_id = :workspace_id AND r.bench_id = :bench_id ORDER BY r.position

-- name: trials
-- A trial's job may be gone before the trial is.
SELECT t.id, t.evaluation_id, t.judge_model, t.prompt, t.instructions, t.lang, t.made_by, t.verdict,
    t.calls, t.prompt_tokens, t.completion_tokens, t.cost_usd, t.judge_ms, t.created_at,
    t.finished_at, COALESCE(t.error, j.error) AS error,
    CASE WHEN t.verdict IS NOT NULL THEN 'succeeded' WHEN t.error IS NOT NULL THEN 'failed'
        ELSE COALESCE(j.status, 'cancelled') END AS status
FROM judge_trials t LEFT JOIN jobs j ON j.id = t.id
WHERE t.workspace_id = :workspace_id AND t.succession_id IS NULL

-- name: trials_of_evaluation
{trials} AND t.evaluation_id = :evaluation_id ORDER BY t.id DESC LIMIT 20

-- name: trial_answer
SELECT e.evaluators, a.question, a.answer, a.lang, a.feature, a.evidence,
    COALESCE(s.titles, '{}') AS titles, COALESCE(s.contents, '{}') AS contents
FROM qa_evaluations e JOIN qa_answers a ON a.id = e.answer_id
LEFT JOIN LATERAL (
    SELECT array_agg(title ORDER BY note_index) AS titles,
           array_agg(content ORDER BY note_index) AS contents
    FROM qa_answer_sources WHERE answer_id = a.id
) s ON true
WHERE e.workspace_id = :workspace_id AND e.id = :id

-- name: guarantees
SELECT prompt_version, threshold, scores, chances FROM judge_calibrations
WHERE workspace_id = :workspace_id AND judge_model = :judge_model AND cascade IS NULL

-- name: old_trials
-- For retention, by psycopg.
FROM judge_trials WHERE created_at < now() - make_interval(days => %(days)s)

-- name: delete_old_trials
DELETE FROM judge_trials WHERE id = ANY(ARRAY(
    SELECT id {old_trials} ORDER BY created_at LIMIT %(limit)s FOR UPDATE SKIP LOCKED))

-- name: count_old_trials
SELECT count(*) {old_trials}
