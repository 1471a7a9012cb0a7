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

-- name: left_of_cases
-- Which of the notes and answers that cases are made from are still there.
SELECT id FROM notes WHERE workspace_id = :workspace_id AND id = ANY(CAST(:note_ids AS uuid[]))
UNION ALL
SELECT id FROM qa_answers
WHERE workspace_id = :workspace_id AND id = ANY(CAST(:answer_ids AS uuid[]))

-- name: case_states
-- Of the cases with notes of their own: whether they failed before, as the answer that they are made
-- from or in a run over any version, and the run since which they pass; NULL while they fail.
SELECT h.case_id, h.was_bad OR bool_or(NOT h.passed) AS failed,
    (array_agg(h.run_id ORDER BY h.at, h.run_id) FILTER (WHERE h.passed AND h.is_last))[1] AS run_id,
    (array_agg(h.release ORDER BY h.at, h.run_id) FILTER (WHERE h.passed AND h.is_last))[1]
        AS release
FROM (
    SELECT c.id AS case_id, COALESCE((c.source ->> 'was_bad')::boolean, false) AS was_bad, e.passed,
        r.id AS run_id, COALESCE(r.app_version, r.name) AS release, r.created_at AS at,
        -- No later run fails.
        bool_and(e.passed) OVER (PARTITION BY c.id ORDER BY r.created_at DESC, r.id DESC) AS is_last
    FROM eval_datasets d
    JOIN eval_datasets v ON v.workspace_id = d.workspace_id AND v.name = d.name
    JOIN eval_test_cases c ON c.dataset_id = d.id AND c.case_key IS NOT NULL
    JOIN eval_test_cases o ON o.dataset_id = v.id AND o.case_key = c.case_key
    JOIN eval_runs r ON r.dataset_id = v.id
    JOIN eval_results e ON e.run_id = r.id AND e.position = o.position AND e.passed IS NOT NULL
    WHERE d.workspace_id = :workspace_id AND d.id = :dataset_id
      AND (CAST(:until AS uuid) IS NULL OR r.id <= :until)
) h GROUP BY h.case_id, h.was_bad

-- name: answer_of_case
-- label: of the whole answer, the newest by a person. comment: of the newest that found it wanting.
-- doubted: by the judge. Locked, since a deletion of the user deletes the cases that it sees.
SELECT e.status, a.id AS answer_id, e.id AS evaluation_id,
    COALESCE(a.standalone_question, a.question) AS question, a.lang, a.app_version,
    a.created_at AS answered_at, COALESCE(n.notes, '[]') AS notes, c.comment,
    l.label, COALESCE(e.needs_improvement OR e.confidence = 'low', false) AS doubted
FROM qa_evaluations e JOIN qa_answers a ON a.id = e.answer_id
LEFT JOIN LATERAL (
    SELECT jsonb_agg(jsonb_build_object('title', s.title, 'content', s.content, 'note_id', s.note_id)
        ORDER BY s.note_index) AS notes
    FROM qa_answer_sources s WHERE s.answer_id = a.id
) n ON true
LEFT JOIN LATERAL (
    SELECT f.label FROM qa_feedback f WHERE f.answer_id = a.id AND f.claim_position IS NULL
    ORDER BY f.updated_at DESC LIMIT 1
) l ON true
LEFT JOIN LATERAL (
    SELECT f.comment FROM qa_feedback f
    WHERE f.answer_id = a.id AND f.claim_position IS NULL AND f.label <> 'right'
      AND f.comment IS NOT NULL
    ORDER BY f.updated_at DESC LIMIT 1
) c ON true
WHERE e.workspace_id = :workspace_id AND e.id = :id FOR KEY SHARE OF a

-- name: lock_answers
-- Those that are still there: a deletion of their user sees what is made of them meanwhile.
SELECT id::text FROM qa_answers WHERE workspace_id = :workspace_id
  AND id = ANY(CAST(:ids AS uuid[])) ORDER BY id FOR KEY SHARE

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
    r.latency_ms, r.error, r.made_by, r.criteria
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
SELECT e.evaluators, a.question, a.answer, a.lang, a.feature, a.evidence, a.history,
    a.standalone_question,
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

-- name: succession_sample
-- Labelled answers first, then those drawn among the newest; hashes of ids with the seed order both.
-- Texts in bytes, as an estimate wants them.
WITH labelled AS (
    SELECT DISTINCT answer_id FROM qa_feedback
    WHERE workspace_id = :workspace_id AND claim_position IS NULL
), recent AS (
    SELECT answer_id FROM qa_evaluations
    WHERE workspace_id = :workspace_id AND is_current AND {judged}
    ORDER BY created_at DESC LIMIT :window
), chosen AS (
    SELECT e.id, e.answer_id, e.evaluators, l.answer_id IS NOT NULL AS labelled
    FROM (SELECT answer_id FROM labelled UNION SELECT answer_id FROM recent) c
    JOIN qa_evaluations e ON e.answer_id = c.answer_id AND e.is_current AND {judged}
    LEFT JOIN labelled l ON l.answer_id = e.answer_id
    WHERE e.workspace_id = :workspace_id
    ORDER BY labelled DESC, md5(e.answer_id::text || CAST(:seed AS text)), e.answer_id LIMIT :limit
)
SELECT c.id, c.evaluators, c.labelled, a.lang, 1 AS answers,
    octet_length(a.question) + COALESCE(octet_length(a.history::text), 0) AS question,
    octet_length(a.answer) AS answer, COALESCE(n.bytes, 0) AS notes
FROM chosen c JOIN qa_answers a ON a.id = c.answer_id
LEFT JOIN LATERAL (
    SELECT sum(octet_length(s.content)) AS bytes FROM qa_answer_sources s
    WHERE s.answer_id = c.answer_id
) n ON true
ORDER BY c.labelled DESC, md5(c.answer_id::text || CAST(:seed AS text)), c.answer_id

-- name: successions
-- `total` falls where answers of the sample are deleted.
SELECT s.*, t.total, t.done, t.failed, t.spent_usd FROM judge_successions s
CROSS JOIN LATERAL (
    SELECT count(*) AS total, count(finished_at) AS done, count(error) AS failed,
        sum(cost_usd) AS spent_usd
    FROM judge_trials WHERE succession_id = s.id
) t
WHERE s.workspace_id = :workspace_id

-- name: succession_results
-- stored: the newest verdict of the same judge that readers were given. grade: the middle of what
-- people say, in doubt the worse; 0 wrong, 1 partly, 2 right.
SELECT t.evaluation_id, t.judge_model, t.verdict, t.error, t.cost_usd, t.judge_ms, a.lang,
    b.name AS notebook, e.answer_id, f.grade, o.stored
FROM judge_trials t
JOIN qa_evaluations e ON e.id = t.evaluation_id
JOIN qa_answers a ON a.id = e.answer_id
LEFT JOIN notebooks b ON b.id = a.notebook_id
CROSS JOIN LATERAL (
    SELECT percentile_disc(0.5) WITHIN GROUP (
        ORDER BY CASE l.label WHEN 'right' THEN 2 WHEN 'partly' THEN 1 ELSE 0 END) AS grade
    FROM qa_feedback l WHERE l.answer_id = e.answer_id AND l.claim_position IS NULL
) f
LEFT JOIN LATERAL (
    SELECT json_build_object('correctness', v.correctness, 'utility', v.utility,
        'overall', v.overall_score, 'confidence', v.confidence) AS stored
    FROM qa_evaluations v
    WHERE v.answer_id = e.answer_id AND v.judge_model = t.judge_model AND v.status = 'succeeded'
      AND NOT v.degraded AND v.correctness IS NOT NULL AND v.utility IS NOT NULL
      AND v.provider || ':' || v.model = t.judge_model
    ORDER BY v.created_at DESC LIMIT 1
) o ON true
WHERE t.workspace_id = :workspace_id AND t.succession_id = :succession_id
  AND t.finished_at IS NOT NULL
ORDER BY t.position, t.id
