-- Which answers are to be judged again.

-- name: of_chosen
e.answer_id IN (
    SELECT k.answer_id FROM qa_evaluations k
    WHERE k.workspace_id = :workspace_id AND k.id = ANY(CAST(:evaluation_ids AS uuid[])))

-- name: of_verdict
-- NULL parameters do not filter.
    (CAST(:since AS timestamptz) IS NULL OR e.answered_at >= :since)
    AND (CAST(:until AS timestamptz) IS NULL OR e.answered_at < :until)
    AND (CAST(:status AS text) IS NULL OR e.status = :status)
    AND (CAST(:confidence AS text) IS NULL OR e.confidence = :confidence)
    AND (CAST(:degraded AS bool) IS NULL OR e.degraded = :degraded)
    AND (CAST(:needs_improvement AS bool) IS NULL OR e.needs_improvement = :needs_improvement)
    AND (CAST(:judge_model AS text) IS NULL OR e.judge_model = :judge_model)
    AND (CAST(:prompt_version AS text) IS NULL OR e.prompt_version = :prompt_version)
    AND (CAST(:correctness_below AS float8) IS NULL OR e.correctness < :correctness_below)
    AND (CAST(:utility_below AS float8) IS NULL OR e.utility < :utility_below)
    AND (CAST(:overall_below AS float8) IS NULL OR e.overall_score < :overall_below)
    AND (CAST(:evaluation_ids AS uuid[]) IS NULL OR {of_chosen})

-- name: all_conditions
{of_verdict} AND {of_answer}

-- name: of_answer
EXISTS (
    SELECT FROM qa_answers a WHERE a.id = e.answer_id
      AND (CAST(:feature AS text) IS NULL OR a.feature = :feature)
      AND (CAST(:lang AS text) IS NULL OR a.lang = :lang)
      AND (CAST(:notebook_id AS uuid) IS NULL OR a.notebook_id = :notebook_id OR EXISTS (
          SELECT FROM qa_answer_sources s JOIN notes n ON n.id = s.note_id
          WHERE s.answer_id = a.id AND n.notebook_id = :notebook_id)))

-- name: current
-- What is under way has a verdict coming and is left to it.
e.workspace_id = :workspace_id AND e.is_current
    AND e.status IN ({final})

-- name: one
SELECT id, answer_id, status, evaluators FROM qa_evaluations
WHERE workspace_id = :workspace_id AND answer_id = (
    SELECT answer_id FROM qa_evaluations WHERE workspace_id = :workspace_id AND id = :id
) AND is_current

-- name: for_good
SELECT (now() - interval '1 minute')::text
