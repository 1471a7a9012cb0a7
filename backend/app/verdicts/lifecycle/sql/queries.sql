-- Short statements of the life cycle.

-- name: by_idempotency_key
SELECT a.id AS answer_id, a.request_hash, e.id AS evaluation_id, e.status, e.reason
FROM qa_answers a JOIN qa_evaluations e ON e.answer_id = a.id AND e.is_current
WHERE a.workspace_id = %(workspace_id)s AND a.idempotency_key = %(key)s

-- name: no_calls
-- Of `record` where all outcomes are plain (record_rows.is_plain).
CROSS JOIN (VALUES (NULL::int, NULL::int, NULL::numeric))
    AS spent(prompt_tokens, completion_tokens, cost_usd)

-- name: load_replies
SELECT DISTINCT ON (request_hash) request_hash, content, provider, model,
    prompt_tokens, completion_tokens, cost_usd, latency_ms
FROM judge_calls
WHERE evaluation_id = %(id)s AND content IS NOT NULL AND NOT discarded
ORDER BY request_hash, id

-- name: probe_soon
UPDATE judge_pauses SET probe_at = now()

-- name: unpublish
UPDATE qa_evaluations SET enqueued_at = NULL
WHERE id = ANY(%(ids)s) AND status IN ({waiting})

-- name: waiting_rows
FROM qa_evaluations e LEFT JOIN judge_pauses p ON p.judge_model = e.judge_model
WHERE e.workspace_id = :workspace_id AND e.is_current AND e.status IN ({waiting})

-- name: stranded
SELECT e.answer_id, e.evaluators, e.judge_model {waiting_rows}
  AND {is_stranded} AND COALESCE(e.reason, '') NOT IN ('for_batch', 'in_batch')
LIMIT :limit

-- name: is_stranded
-- Paused, and none of `judges`, which the policy names.
(p.judge_model IS NOT NULL AND e.judge_model <> ALL(:judges))

-- name: count_waiting
SELECT count(*) AS answers, count(*) FILTER (WHERE stranded) AS stranded
FROM (SELECT {is_stranded} AS stranded {waiting_rows} LIMIT :limit) AS waiting

-- name: unpriced
SELECT DISTINCT judge_model, evaluators, judge_prompt FROM qa_evaluations
WHERE status IN ({waiting}) AND reason = 'budget_unpriced'
