"""SQL of trials and of the answers that they are made with."""

import uuid
from collections.abc import Mapping
from typing import Any

from sqlalchemy import Update, insert, text, update
from sqlalchemy.sql.dml import Insert

from app.experiments.models import JudgeTrial
from app.platform.db.owned_queries import one_and_page

# What of a trial's job is of interest: it may be gone before the trial is.
_TRIALS = """
SELECT t.*, CASE WHEN t.verdict IS NOT NULL THEN 'succeeded' WHEN t.error IS NOT NULL THEN 'failed'
    ELSE COALESCE(j.status, 'cancelled') END AS status, COALESCE(t.error, j.error) AS told
FROM judge_trials t LEFT JOIN jobs j ON j.id = t.id
WHERE t.workspace_id = :workspace_id
"""
TRIAL, _ = one_and_page(_TRIALS, "t.id")
TRIALS_OF = text(f"{_TRIALS} AND t.evaluation_id = :evaluation_id ORDER BY t.id DESC LIMIT 20")
ANSWER = text("""
SELECT e.evaluators, e.judge_model, e.judge_prompt, e.provider, a.question, a.answer, a.lang,
    a.feature, a.evidence, COALESCE(s.titles, '{}') AS titles,
    COALESCE(s.contents, '{}') AS contents
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


def add(values: Mapping[str, Any]) -> Insert:
    return insert(JudgeTrial).values(**values)


def end(trial_id: uuid.UUID, values: Mapping[str, Any]) -> Update:
    """Writes the end of a trial that has not ended."""
    return (
        update(JudgeTrial)
        .where(JudgeTrial.id == trial_id, JudgeTrial.finished_at.is_(None))
        .values(**values)
    )
