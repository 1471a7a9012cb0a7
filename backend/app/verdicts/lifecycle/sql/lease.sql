-- The columns of LeaseRow, in its order, of the rows `c` of the CTE `claimed`.
--
-- Refusals for a wrong configuration are no calls that were answered.
SELECT c.id, c.workspace_id, c.attempt, c.tries, c.judge_model, c.evaluators,
       a.question, a.answer, a.lang, a.feature,
       COALESCE(s.titles, '{}') AS titles, COALESCE(s.contents, '{}') AS contents, a.evidence,
       a.history, a.standalone_question, c.judge_prompt,
       c.is_current, p.fallback_models, p.judge_fallback,
       CASE WHEN c.attempt = 1 THEN 0 ELSE (
           SELECT count(*) FROM judge_calls j
           WHERE j.evaluation_id = c.id AND j.attempt > c.calls_counted_after
             AND COALESCE(j.error, '') NOT LIKE 'configuration:%%') END AS calls,
       CASE WHEN c.reason = 'rules_fallback' THEN (
           SELECT j.reason FROM judge_pauses j WHERE j.judge_model = c.judge_model) END AS failing,
       a.traceparent,
       (SELECT json_agg(json_build_array(k.prompt_version, k.threshold, k.scores, k.chances))
        FROM judge_calibrations k
        WHERE k.workspace_id = c.workspace_id AND k.judge_model = c.judge_model
          AND (NOT c.mid_cascade OR k.cascade = c.cascade)) AS guarantees,
       c.cascade, c.mid_cascade, p.cascade_check,
       CASE WHEN c.mid_cascade THEN p.cascade_calibration END AS cascade_calibration,
       c.mid_cascade AND EXISTS (
           SELECT FROM judge_calibrations k WHERE k.workspace_id = c.workspace_id
             AND k.judge_model = c.cascade[cardinality(c.cascade)] AND k.cascade = c.cascade) AS needs_guarantee,
       CASE WHEN c.cascade IS NULL OR c.attempt = 1 THEN 1 ELSE (
           SELECT COALESCE(max(s.attempt), 0) + 1 FROM qa_cascade_steps s
           WHERE s.evaluation_id = c.id) END AS first_attempt,
       -- Votes, as far as they were cast, while the jury is that of the policy.
       CASE WHEN c.mid_cascade AND p.jury = c.cascade THEN (
           SELECT COALESCE(array_agg(s.confidence), '{}') FROM qa_cascade_steps s
           WHERE s.evaluation_id = c.id AND s.confidence IS NOT NULL) END AS votes,
       (SELECT json_build_array(w.base, w.text_ko, w.text_en, (
            SELECT json_agg(x.example ORDER BY x.position) FROM judge_prompt_examples x
            WHERE x.workspace_id = w.workspace_id AND x.prompt_id = w.id)) FROM judge_prompts w
        WHERE w.workspace_id = c.workspace_id AND w.reference = c.judge_prompt) AS own_prompt,
       c.queue, extract(epoch FROM now() - c.created_at)::float8 AS age,
       (SELECT json_agg(to_jsonb(k) ORDER BY array_position(c.evaluators, k.reference))
        FROM judge_criteria k
        WHERE k.workspace_id = c.workspace_id AND k.reference = ANY (c.evaluators)) AS criteria
FROM claimed c
JOIN qa_answers a ON a.id = c.answer_id
LEFT JOIN evaluation_policies p ON p.workspace_id = c.workspace_id
LEFT JOIN LATERAL (
    SELECT array_agg(title ORDER BY note_index) AS titles,
           array_agg(content ORDER BY note_index) AS contents
    FROM qa_answer_sources WHERE answer_id = a.id
) s ON true
