"""SQL of the review queue: which verdicts a person should look at first, and why."""

from sqlalchemy import text

from app.db.statements import load_sql
from app.review.explorer_queries import ROW

# Reasons are worked out for so many of the newest verdicts, so that the queue takes as long in a
# large workspace as in a small one.
WINDOW = 5_000

QUEUE = text(load_sql(__package__, "queue", window=str(WINDOW), row=ROW))
