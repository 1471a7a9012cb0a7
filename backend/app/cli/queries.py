"""SQL of the commands that read the database directly."""

from typing import LiteralString

from app.platform.db.statements import in_list
from app.verdicts.status import WAITING

# Of `doctor`. A row is due as for the dispatcher: unfinished, its `run_at` has passed, and its
# judge is not paused.
MIGRATION = "SELECT version_num FROM alembic_version"
PAUSED = "SELECT judge_model, kind, reason, probe_at FROM judge_pauses ORDER BY judge_model"
_DUE = f"""
FROM qa_evaluations e
WHERE e.status IN ({in_list(WAITING)}) AND e.run_at < now()
  AND NOT EXISTS (SELECT FROM judge_pauses p WHERE p.judge_model = e.judge_model)
"""
_COUNT = "SELECT count(*), COALESCE(extract(epoch FROM now() - min(e.run_at)), 0)::float8"
NOT_PUBLISHED = f"""
{_COUNT} {_DUE}
  AND (e.enqueued_at IS NULL OR e.enqueued_at < now() - make_interval(secs => %s))
""".encode()
LAST_VERDICT = b"""
SELECT extract(epoch FROM now() - finished_at)::float8
FROM qa_evaluations WHERE status = 'succeeded' ORDER BY id DESC LIMIT 1
"""

GRANT_ANALYST: LiteralString = """
INSERT INTO analytics.access (login, workspace_id)
SELECT CAST(:login AS name), NULL
WHERE NOT EXISTS (SELECT FROM analytics.access WHERE login = CAST(:login AS name))
"""
CAN_LOG_IN: LiteralString = "SELECT rolcanlogin FROM pg_roles WHERE rolname = :login"
