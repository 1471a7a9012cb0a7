"""SQL of the review queue: which verdicts a person should look at first, and why."""

from sqlalchemy import text

from app.platform.db.statements import load_sql
from app.quality.review.explorer_queries import ROW

# Reasons are worked out for so many of the newest verdicts, so that the queue takes as long in a
# large workspace as in a small one.
WINDOW = 5_000


def ranked(more: str = "") -> str:
    """The beginning of a statement: the CTE `ranked` (id, score, reasons)."""
    return load_sql(__package__, "queue", window=str(WINDOW), more=more)


# A page goes on after (after_score, after_id) of the one before; of equals the newest come first.
QUEUE = text(f"""
{ranked()}, page AS (
    SELECT * FROM ranked
    WHERE CAST(:after_id AS uuid) IS NULL
       OR (score, id) < (CAST(:after_score AS numeric), CAST(:after_id AS uuid))
    ORDER BY score DESC, id DESC LIMIT :limit
)
SELECT p.score::float8 AS review_score, p.reasons, {ROW}
FROM page p JOIN qa_evaluations e ON e.id = p.id JOIN qa_answers a ON a.id = e.answer_id
ORDER BY p.score DESC, p.id DESC
""")
