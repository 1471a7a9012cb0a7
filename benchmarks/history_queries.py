"""The SQL of a database that has judged for a long time."""

from collections.abc import Mapping, Sequence

# Keys are ordered by time, as those of real rows are; the references hold without being checked
# one by one.
FILL = (
    "SET LOCAL session_replication_role = replica",
    "SET LOCAL statement_timeout = 0",
    """
    CREATE TEMP TABLE past ON COMMIT DROP AS
    SELECT n, uuidv7(-make_interval(secs => %(count)s - n + 86400)) AS answer_id,
           uuidv7(-make_interval(secs => %(count)s - n + 86400)) AS id,
           now() - make_interval(secs => %(count)s - n + 86400) AS at
    FROM generate_series(1, %(count)s) AS n
    """,
    """
    INSERT INTO verdict_events (workspace_id, evaluation_id, status)
    SELECT e.workspace_id, p.id, 'succeeded'
    FROM past p, qa_evaluations e WHERE e.answer_id = %(answer_id)s
    """,
)
COLUMNS = """
SELECT attname FROM pg_attribute
WHERE attrelid = %(table)s::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
"""


def copies(table: str, columns: Sequence[str], of: str, changed: Mapping[str, str]) -> str:
    """A row for each of the past, like the one for which `of` holds but for `changed`."""
    values = ", ".join(changed.get(name, f"t.{name}") for name in columns)
    return f"""
        INSERT INTO {table} ({", ".join(columns)})
        SELECT {values} FROM past p, {table} t WHERE {of} = %(answer_id)s
    """


ANSWERS = {"id": "p.answer_id", "created_at": "p.at"}
EVALUATIONS = {
    "id": "p.id",
    "answer_id": "p.answer_id",
    "created_at": "p.at",
    "run_at": "p.at",
    "finished_at": "p.at",
}
ANY_JUDGED = "SELECT answer_id FROM qa_evaluations WHERE status = 'succeeded' LIMIT 1"
ANALYZE = "VACUUM (ANALYZE) qa_answers, qa_evaluations, verdict_events"
STORED = "SELECT count(*) FROM qa_evaluations WHERE status = 'succeeded'"
UNPUBLISHED = """
SELECT count(*) FROM qa_evaluations WHERE status = 'queued' AND enqueued_at IS NULL
"""
SIZE = "SELECT pg_database_size(current_database())"
WAITING = "SELECT count(*) FROM qa_evaluations WHERE status NOT IN ('succeeded', 'failed')"
