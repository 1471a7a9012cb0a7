"""SQL of trials and of the answers that they are made with."""

from sqlalchemy import text

from app.platform.db.owned_queries import one_and_page

# A trial's job may be gone before the trial is.
_TRIALS = """
SELECT t.id, t.evaluation_id, t.judge_model, t.prompt, t.instructions, t.lang, t.made_by, t.verdict,
    t.calls, t.prompt_tokens, t.completion_tokens, t.cost_usd, t.judge_ms, t.created_at,
    t.finished_at, COALESCE(t.error, j.error) AS error,
    CASE WHEN t.verdict IS NOT NULL THEN 'succeeded' WHEN t.error IS NOT NULL THEN 'failed'
        ELSE COALESCE(j.status, 'cancelled') END AS status
FROM judge_trials t LEFT JOIN jobs j ON j.id = t.id
WHERE t.workspace_id = :workspace_id
"""
TRIAL, _ = one_and_page(_TRIALS, "t.id")
TRIALS_OF_EVALUATION = text(
    f"{_TRIALS} AND t.evaluation_id = :evaluation_id ORDER BY t.id DESC LIMIT 20"
)
ANSWER = text("""
SELECT e.evaluators, a.question, a.answer, a.lang, a.feature, a.evidence,
    COALESCE(s.titles, '{}') AS titles, COALESCE(s.contents, '{}') AS contents
FROM qa_evaluations e JOIN qa_answers a ON a.id = e.answer_id
LEFT JOIN LATERAL (
    SELECT array_agg(title ORDER BY note_index) AS titles,
           array_agg(content ORDER BY note_index) AS contents
    FROM qa_answer_sources WHERE answer_id = a.id
) s ON true
WHERE e.workspace_id = :workspace_id AND e.id = :id
""")
GUARANTEES = text("""
SELECT prompt_version, threshold, scores, chances FROM judge_calibrations
WHERE workspace_id = :workspace_id AND judge_model = :judge_model AND cascade IS NULL
""")

# Retention, for psycopg.
_OLD = "FROM judge_trials WHERE created_at < now() - make_interval(days => %(days)s)"
COUNT_OLD = f"SELECT count(*) {_OLD}".encode()
DELETE_OLD = f"""
DELETE FROM judge_trials WHERE id = ANY(ARRAY(
    SELECT id {_OLD} ORDER BY created_at LIMIT %(limit)s FOR UPDATE SKIP LOCKED))
""".encode()
