"""SQL of the commands that look into the database themselves."""

from typing import LiteralString

from app.db.statements import in_list
from app.verdicts.status import WAITING

# What `doctor` asks. A row is due as the dispatcher sees it: unfinished, its time has come, and
# its judge is not paused.
MIGRATION = "SELECT version_num FROM alembic_version"
PAUSED = "SELECT judge_model, kind, reason, probe_at FROM judge_pauses ORDER BY judge_model"
_DUE = f"""
FROM qa_evaluations e
WHERE e.status IN ({in_list(WAITING)}) AND e.run_at < now()
  AND NOT EXISTS (SELECT FROM judge_pauses p WHERE p.judge_model = e.judge_model)
"""
_COUNT = "SELECT count(*), COALESCE(extract(epoch FROM now() - min(e.run_at)), 0)::float8"
NOT_TAKEN = f"{_COUNT} {_DUE}".encode()
NOT_PUBLISHED = f"""
{_COUNT} {_DUE}
  AND (e.enqueued_at IS NULL OR e.enqueued_at < now() - make_interval(secs => %s))
""".encode()
LAST_VERDICT = b"""
SELECT extract(epoch FROM now() - max(finished_at))::float8
FROM qa_evaluations WHERE status = 'succeeded'
"""

# What `demo` shows and prints: statements that work as they stand in psql. The workspace is the
# only one of its name.
DEMO_WORKSPACE = "demo"
_HERE = f"JOIN workspaces w ON w.id = e.workspace_id AND w.name = '{DEMO_WORKSPACE}'"

SUMMARIES: tuple[tuple[str, LiteralString], ...] = (
    (
        "Answers by state and confidence",
        f"""\
SELECT e.status, COALESCE(e.confidence, '-') AS confidence,
       count(*) AS answers
FROM qa_evaluations e
{_HERE}
WHERE e.is_current
GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2""",
    ),
    (
        "Milliseconds from answer to verdict",
        f"""\
SELECT round(percentile_cont(0.5) WITHIN GROUP (ORDER BY ms))::int AS median,
       round(percentile_cont(0.95) WITHIN GROUP (ORDER BY ms))::int AS p95,
       count(*) AS verdicts
FROM (
    SELECT extract(epoch FROM e.finished_at - e.created_at)::float8 * 1000
           AS ms
    FROM qa_evaluations e
    {_HERE}
    WHERE e.status = 'succeeded'
) timed""",
    ),
    (
        "Notes that answers cite most",
        f"""\
SELECT s.title, count(*) FILTER (WHERE c.cited) AS cited,
       count(*) AS given
FROM qa_evaluation_sources c
JOIN qa_evaluations e ON e.id = c.evaluation_id AND e.is_current
{_HERE}
JOIN qa_answer_sources s
  ON s.answer_id = e.answer_id AND s.note_index = c.note_index
GROUP BY 1 ORDER BY 2 DESC, 3, 1 LIMIT 5""",
    ),
)

LET_ANALYST_SEE: LiteralString = """
INSERT INTO analytics.access (login, workspace_id)
SELECT CAST(:login AS name), NULL
WHERE NOT EXISTS (SELECT FROM analytics.access WHERE login = CAST(:login AS name))
"""
MAY_LOG_IN: LiteralString = "SELECT rolcanlogin FROM pg_roles WHERE rolname = :login"
