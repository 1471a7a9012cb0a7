-- A verdict with its answer, its findings, the newest attempt to improve the answer, and what
-- people say of it.
SELECT e.id, e.workspace_id, e.answer_id, e.status, e.reason, e.error, e.attempt, e.evaluators,
    e.judge_model, e.fallback_because, e.policy_version, e.is_current, e.correctness, e.utility,
    e.confidence, {outcome} AS outcome, {findings} AS state, e.summary, e.degraded, {judged_by} AS judged_by, e.provider, e.model, e.prompt_version, e.prompt_tokens,
    e.completion_tokens, e.cost_usd::float8 AS cost_usd, e.from_cache, e.queue_ms, e.judge_ms,
    e.created_at, e.started_at, e.finished_at, e.run_at, e.overall_score, e.needs_improvement,
    e.probability, e.answer_chars, e.judged_answer_chars, e.note_chars, e.judged_note_chars,
    (SELECT c.id FROM qa_evaluations c WHERE c.answer_id = e.answer_id AND c.is_current)
        AS current_id,
    a.question, a.answer, a.lang, a.feature, a.search_method, a.events, a.evidence,
    {attributes}, COALESCE(a.history, '[]') AS history, a.standalone_question,
    (SELECT json_build_object(
        'key', s.title, 'category', n.category, 'data', left(s.content, 2000))
     FROM qa_answer_sources s LEFT JOIN notes n ON n.id = s.note_id
     WHERE s.answer_id = e.answer_id AND s.note_index = 1) AS best_note,
    (SELECT json_agg(json_build_object(
        'note_index', s.note_index, 'note_title', n.title, 'note_id', n.note_id,
        'cited', s.cited, 'relevant_claim', s.relevant_claim, 'quote', s.quote,
        'quote_found', s.quote_found) ORDER BY s.note_index)
     FROM qa_evaluation_sources s
     LEFT JOIN qa_answer_sources n ON n.answer_id = e.answer_id AND n.note_index = s.note_index
     WHERE s.evaluation_id = e.id) AS sources,
    (SELECT json_agg(json_build_object('kind', i.kind, 'detail', i.detail) ORDER BY i.position)
     FROM qa_evaluation_issues i WHERE i.evaluation_id = e.id) AS issues,
    (SELECT json_agg(json_build_object(
        'position', c.position, 'claim', c.claim, 'verdict', c.verdict, 'fault', c.fault,
        'note_index', c.note_index, 'quote', c.quote, 'quote_found', c.quote_found,
        'start', c.start_char, 'end', c.end_char,
        'reasoning', c.reasoning) ORDER BY c.position)
     FROM qa_claims c WHERE c.evaluation_id = e.id) AS claims,
    (SELECT json_object_agg(q.name, json_build_object(
        'value', q.value, 'label', q.label, 'reasoning', q.reasoning, 'source', q.source,
        'details', q.details, 'version', q.criterion_version))
     FROM qa_scores q WHERE q.evaluation_id = e.id) AS scores,
    (SELECT json_build_object(
        'id', r.id, 'status', j.status, 'stop_reason', r.stop_reason,
        'best_iteration', r.best_iteration, 'lift', r.lift, 'automatic', r.automatic)
     FROM refinements r JOIN jobs j ON j.id = r.id
     WHERE r.evaluation_id = e.id ORDER BY r.id DESC LIMIT 1) AS refinement,
    (SELECT json_agg(json_build_object(
        'judge_model', s.judge_model, 'prompt_version', s.prompt_version,
        'correctness', s.correctness, 'utility', s.utility, 'confidence', s.confidence,
        'sure', s.sure, 'checked', s.checked, 'decided', s.decided,
        'cost_usd', s.cost_usd::float8, 'judge_ms', s.judge_ms, 'error', s.error)
        ORDER BY s.position)
     FROM qa_cascade_steps s WHERE s.evaluation_id = e.id) AS cascade,
    -- Of this version of the judge, in this cascade, or else the newest of another.
    (SELECT json_build_object(
        'holds_for', k.judge_model = e.judge_model AND k.prompt_version = {guaranteed_version}
            AND k.cascade IS NOT DISTINCT FROM e.cascade,
        'precision', k.precision, 'confidence', k.confidence, 'threshold', k.threshold,
        'labels', k.labels, 'labels_right', k.labels_right, 'calibrated_at', k.created_at)
     FROM judge_calibrations k
     WHERE k.workspace_id = e.workspace_id AND e.confidence = 'high' AND NOT e.degraded
     ORDER BY k.judge_model = e.judge_model AND k.prompt_version = {guaranteed_version} DESC,
        k.created_at DESC LIMIT 1) AS guarantee,
    {human}
FROM qa_evaluations e JOIN qa_answers a ON a.id = e.answer_id
WHERE e.workspace_id = %(workspace_id)s AND e.id = %(id)s
