-- The list of verdicts, all that is kept of one, and saved views of the list.

-- name: grounding_issues
(SELECT count(*) FROM qa_evaluation_issues i
     WHERE i.evaluation_id = e.id AND i.kind = 'grounding')

-- name: quality
-- pass_ratio is met / items.
(SELECT json_build_object('passed', q.label = 'pass', 'source', q.source,
        'met', round(q.value * jsonb_array_length(q.details)),
        'items', jsonb_array_length(q.details))
     FROM qa_scores q WHERE q.evaluation_id = e.id AND q.name = 'quality_gate')

-- name: criteria
COALESCE((SELECT json_object_agg(q.name, json_build_object('version', q.criterion_version,
        'value', q.value, 'label', q.label) ORDER BY q.name)
     FROM qa_scores q WHERE q.evaluation_id = e.id AND q.criterion_version IS NOT NULL), '{}')

-- name: record_columns
    e.id, e.answer_id, e.status, e.reason, e.error, e.degraded, {judged_by} AS judged_by,
    e.is_current, a.question, a.lang, a.feature, a.notebook_id,
    a.model AS answer_model, e.judge_model, e.provider, e.model, e.confidence,
    {outcome} AS outcome, {outcome} IS DISTINCT FROM 'undecided' AS decided,
    {findings} AS state,
    {correctness} AS correctness, {utility} AS utility,
    e.overall_score, e.needs_improvement, e.cost_usd::float8 AS cost_usd, e.created_at,
    e.answered_at, e.finished_at,
    {quality} AS quality, {criteria} AS criteria, {human}, {attributes}

-- name: row
{record_columns}, left(a.answer, {snippet_chars}) AS answer_snippet, {grounding_issues} AS issues,
    (SELECT n.title FROM qa_answer_sources n
     WHERE n.answer_id = e.answer_id AND n.note_index = ANY (e.cited_notes)
     ORDER BY n.note_index LIMIT 1) AS cited_title

-- name: record
{record_columns}, a.answer, e.summary, e.prompt_version, e.prompt_tokens,
    e.completion_tokens, e.queue_ms, e.judge_ms,
    ARRAY(SELECT i.detail FROM qa_evaluation_issues i
          WHERE i.evaluation_id = e.id AND i.kind = 'grounding' ORDER BY i.position) AS issues

-- name: sources
SELECT n.note_index, n.note_id, n.title, n.content, n.score,
    COALESCE(s.cited, false) AS cited, COALESCE(s.relevant_claim, '') AS relevant_claim,
    COALESCE(s.quote, '') AS quote, s.quote_found
FROM qa_evaluations e
JOIN qa_answer_sources n ON n.answer_id = e.answer_id
LEFT JOIN qa_evaluation_sources s ON s.evaluation_id = e.id AND s.note_index = n.note_index
WHERE e.id = :evaluation_id AND e.workspace_id = :workspace_id
ORDER BY n.note_index

-- name: cascade_step
-- Which judge of a cascade made the call `c`, from 1 in the order in which they were asked. The one
-- at work has not recorded its step yet.
COALESCE(
        (SELECT min(s.position) FROM qa_cascade_steps s
         WHERE s.evaluation_id = e.id AND s.attempt >= c.attempt
           AND s.judge_model = c.provider || ':' || c.model),
        CASE WHEN e.cascade IS NOT NULL AND e.finished_at IS NULL THEN 1 + (
            SELECT count(*) FROM qa_cascade_steps s WHERE s.evaluation_id = e.id) END)

-- name: retry_after
-- The kind of the error that an earlier attempt had when it asked the same model for the same.
(
        SELECT CASE WHEN b.error IS NULL THEN 'malformed' ELSE split_part(b.error, ':', 1) END
        FROM judge_calls b
        WHERE b.evaluation_id = c.evaluation_id AND b.attempt < c.attempt
          AND b.provider = c.provider AND b.model = c.model
          AND b.purpose IS NOT DISTINCT FROM c.purpose AND (b.error IS NOT NULL OR b.discarded)
        ORDER BY b.id DESC LIMIT 1)

-- name: calls
SELECT c.id, c.attempt, c.created_at, c.request_hash, c.provider, c.model, c.prompt_tokens,
    c.cached_tokens, c.completion_tokens, c.cost_usd::float8 AS cost_usd, c.latency_ms, c.error,
    c.purpose, COALESCE(c.re_ask, false) AS re_ask, c.batched,
    {cascade_step} AS cascade_step, {retry_after} AS retry_after,
    COALESCE(c.elapsed_ms, c.latency_ms) AS elapsed_ms, c.discarded,
    c.content IS NOT NULL OR c.body IS NOT NULL AS kept,
    CASE WHEN :bodies THEN c.content END AS content, CASE WHEN :bodies THEN c.body END AS body
FROM judge_calls c JOIN qa_evaluations e ON e.id = c.evaluation_id
WHERE c.evaluation_id = :evaluation_id AND c.workspace_id = :workspace_id
ORDER BY c.id

-- name: history
SELECT v.created_at AS at, v.status, v.refinement_id
FROM verdict_events v
WHERE v.evaluation_id = :evaluation_id AND v.workspace_id = :workspace_id
ORDER BY v.xid, v.id

-- name: view_columns
-- Saved views of the list.
id, name, filters, list_order AS "order", columns, author, created_at, updated_at

-- name: saved_views
SELECT {view_columns} FROM saved_views WHERE workspace_id = :workspace_id
ORDER BY lower(name), name

-- name: saved_view
SELECT {view_columns} FROM saved_views WHERE workspace_id = :workspace_id AND id = :id

-- name: lock_saved
-- One new view of a workspace at a time, so that their number has a bound.
SELECT pg_advisory_xact_lock(hashtextextended('saved_views' || :workspace_id, 0))

-- name: count_saved
SELECT count(*) FROM saved_views WHERE workspace_id = :workspace_id

-- name: insert_saved
INSERT INTO saved_views (id, workspace_id, name, filters, list_order, columns, author)
VALUES (:id, :workspace_id, :name, CAST(:filters AS jsonb), :order, CAST(:columns AS text[]),
    :author)
RETURNING {view_columns}

-- name: update_saved
-- NULL keeps what is there; `columns` may be set to NULL.
UPDATE saved_views SET name = COALESCE(CAST(:name AS text), name),
    filters = COALESCE(CAST(:filters AS jsonb), filters),
    list_order = COALESCE(CAST(:order AS text), list_order),
    columns = CASE WHEN :set_columns THEN CAST(:columns AS text[]) ELSE columns END,
    updated_at = now()
WHERE workspace_id = :workspace_id AND id = :id
RETURNING {view_columns}

-- name: selected
-- The ids of the first `limit` rows, and how many there are, counted up to `most`. One row, also where
-- there are none.
SELECT COALESCE((array_agg(id))[1:CAST(:limit AS integer)], '{}') AS ids, count(*) AS matching
FROM ({first}) AS first

-- name: page
SELECT {columns}
FROM qa_evaluations e JOIN qa_answers a ON a.id = e.answer_id
WHERE {conditions}
ORDER BY {order} LIMIT :{limit}
