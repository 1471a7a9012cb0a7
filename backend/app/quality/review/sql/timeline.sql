-- What is stored of the times of a verdict: a row with its events, calls, batches and cascade steps as
-- JSON, each in order.
--
-- An answer's first verdict comes in the same transaction, so that it has the same time.
SELECT now() AS now, e.status, e.reason, e.attempt, e.judge_model, e.created_at, e.started_at,
    e.finished_at, e.judge_ms, e.from_cache, e.evaluators, e.judge_prompt, e.calls_counted_after,
    e.created_at = a.created_at AS is_first, a.origin, a.created_at AS answered_at,
    a.search_method, a.search_ms, a.first_chunk_ms, a.latency_ms, a.lang,
    a.provider || ':' || a.model AS answer_model, length(a.answer) AS answer_chars,
    (SELECT COALESCE(json_agg(json_build_object(
        'at', v.created_at, 'status', v.status, 'attempt', v.attempt, 'reason', v.reason,
        'delivered_at', v.delivered_at) ORDER BY v.xid, v.id), '[]')
     FROM verdict_events v WHERE v.evaluation_id = e.id AND v.refinement_id IS NULL) AS events,
    (SELECT COALESCE(json_agg(json_build_object(
        'at', c.created_at, 'attempt', c.attempt, 'model', c.provider || ':' || c.model,
        'elapsed_ms', COALESCE(c.elapsed_ms, c.latency_ms), 'purpose', c.purpose,
        're_ask', c.re_ask, 'batched', c.batched, 'error', c.error, 'discarded', c.discarded,
        'cascade_step', {cascade_step}, 'retry_after', {retry_after}) ORDER BY c.id), '[]')
     FROM judge_calls c WHERE c.evaluation_id = e.id) AS calls,
    (SELECT COALESCE(json_agg(json_build_object(
        'attempt', l.attempt, 'collected_at', l.created_at, 'submitted_at', b.submitted_at,
        'ended_at', COALESCE(l.read_at, b.finished_at)) ORDER BY l.created_at), '[]')
     FROM (
        SELECT attempt, batch_id, min(created_at) AS created_at,
            CASE WHEN bool_and(read_at IS NOT NULL) THEN max(read_at) END AS read_at
        FROM judge_batch_lines WHERE evaluation_id = e.id GROUP BY attempt, batch_id
     ) l JOIN judge_batches b ON b.id = l.batch_id) AS batches,
    (SELECT COALESCE(json_agg(json_build_object(
        'attempt', s.attempt, 'model', s.judge_model, 'judge_ms', s.judge_ms)
        ORDER BY s.position), '[]')
     FROM qa_cascade_steps s WHERE s.evaluation_id = e.id) AS steps
FROM qa_evaluations e JOIN qa_answers a ON a.id = e.answer_id
WHERE e.id = :evaluation_id AND e.workspace_id = :workspace_id
