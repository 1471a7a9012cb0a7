"""SQL of what is to be labelled next, and of what somebody has open."""

from sqlalchemy import bindparam, text
from sqlalchemy.dialects.postgresql import ARRAY, UUID

from app.quality.review.queue_queries import ranked


def labelled(row: str, more: str = "") -> str:
    """Whether anybody has labelled the whole answer that `row` names by its answer_id. more: what
    else must hold for f, the label."""
    return f"""EXISTS (
    SELECT FROM qa_feedback f
    WHERE f.answer_id = {row}.answer_id AND f.claim_position IS NULL {more})"""


def unlabelled(row: str) -> str:
    """Whether `author` is to label it: nobody has or, with `again`, others have."""
    mine = labelled(row, "AND f.author = :author")
    return f"NOT {mine} AND {labelled(row)} = :again"


def reserved(row: str) -> str:
    return f"EXISTS (SELECT FROM review_reservations v WHERE v.answer_id = {row}.answer_id)"


# One reservation of a workspace at a time: what one is given the other must leave out.
LOCK = text("SELECT pg_advisory_xact_lock(hashtextextended('review_label' || :workspace_id, 0))")

RELEASE = text("""
DELETE FROM review_reservations
WHERE workspace_id = :workspace_id
  AND (expires_at <= now() OR holder = :holder AND NOT answer_id = ANY(:ids))
""").bindparams(bindparam("ids", type_=ARRAY(UUID)))
# Renews those of the holder. What others hold stays theirs; answers that are deleted at this very
# moment are left out.
RESERVE = text("""
INSERT INTO review_reservations (answer_id, workspace_id, holder, expires_at)
SELECT a.id, a.workspace_id, :holder, now() + make_interval(mins => :minutes)
FROM qa_answers a WHERE a.workspace_id = :workspace_id AND a.id = ANY(:ids)
FOR KEY SHARE
ON CONFLICT (answer_id) DO UPDATE SET expires_at = excluded.expires_at
WHERE review_reservations.holder = excluded.holder
""").bindparams(bindparam("ids", type_=ARRAY(UUID)))

# One row at least, for the count.
DOUBTFUL = text(f"""
{ranked("AND " + labelled("c") + " = :again")}, page AS (
    SELECT r.id, r.score, r.reasons, e.answer_id
    FROM ranked r JOIN qa_evaluations e ON e.id = r.id
    WHERE NOT {reserved("e")}
    ORDER BY r.score DESC, r.id DESC LIMIT :limit
)
SELECT c.remaining, p.answer_id, p.reasons
FROM (SELECT count(*) AS remaining FROM ranked) c LEFT JOIN page p ON true
ORDER BY p.score DESC, p.id DESC
""")

# One row at least, for the count. In the order of `ids`, which are evaluations.
CHOSEN = text(f"""
WITH chosen AS (
    SELECT e.answer_id, min(c.position) AS position
    FROM unnest(:ids) WITH ORDINALITY AS c(id, position)
    JOIN qa_evaluations e ON e.id = c.id AND e.workspace_id = :workspace_id
    WHERE NOT {labelled("e", "AND f.author = :author")}
    GROUP BY e.answer_id
), page AS (
    SELECT answer_id, position FROM chosen
    WHERE NOT {reserved("chosen")}
    ORDER BY position LIMIT :limit
)
SELECT c.remaining, p.answer_id
FROM (SELECT count(*) AS remaining FROM chosen) c LEFT JOIN page p ON true
ORDER BY p.position
""").bindparams(bindparam("ids", type_=ARRAY(UUID)))

# In the order of `ids`.
ITEMS = text("""
SELECT e.id AS evaluation_id, a.id AS answer_id, a.question, a.answer, a.lang,
    (SELECT COALESCE(json_agg(json_build_object('note_index', s.note_index, 'note_id', s.note_id,
        'title', s.title, 'content', s.content) ORDER BY s.note_index), '[]')
     FROM qa_answer_sources s WHERE s.answer_id = a.id) AS notes
FROM qa_answers a JOIN qa_evaluations e ON e.answer_id = a.id AND e.is_current
WHERE a.workspace_id = :workspace_id AND a.id = ANY(:ids)
ORDER BY array_position(:ids, a.id)
""").bindparams(bindparam("ids", type_=ARRAY(UUID)))
