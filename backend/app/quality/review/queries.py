"""SQL of labels and agreement, of the review queue, and of reservations for labelling."""

from sqlalchemy import TextClause, bindparam, text
from sqlalchemy.dialects.postgresql import ARRAY, UUID

from app.platform.db.statements import load_sql
from app.quality.review.explorer_queries import ROW
from app.verdicts.reading.queries import OF_VERDICT

# So many past labels of an author are kept of an answer.
_MAX_PAST = 100
# Of rows `f` of qa_feedback that are replaced or deleted.
_KEEP = f"""
INSERT INTO qa_past_feedback (id, workspace_id, evaluation_id, answer_id, claim_position, label,
    utility_label, comment, author, said_at, ended_by)
SELECT :past_id, f.workspace_id, f.evaluation_id, f.answer_id, f.claim_position, f.label,
    f.utility_label, f.comment, f.author, f.updated_at, :by
FROM {{rows}} WHERE (SELECT count(*) FROM qa_past_feedback p
    WHERE p.answer_id = f.answer_id AND p.author = f.author) < {_MAX_PAST}
"""
_SAID = """
qa_evaluations e JOIN qa_feedback f ON {same} AND f.author = :author
    AND (f.label, f.utility_label, f.comment) IS DISTINCT FROM
        (:label, CAST(:utility_label AS text), CAST(:comment AS text))
    AND e.id = :evaluation_id AND e.workspace_id = :workspace_id
"""
_SAY = """
WITH past AS ({keep})
INSERT INTO qa_feedback (id, workspace_id, evaluation_id, answer_id, claim_position, label,
    utility_label, comment, author)
SELECT :id, e.workspace_id, e.id, e.answer_id, CAST(:claim_position AS int), :label,
    CAST(:utility_label AS text), CAST(:comment AS text), :author
FROM qa_evaluations e WHERE e.id = :evaluation_id AND e.workspace_id = :workspace_id
ON CONFLICT {key} DO UPDATE SET
    evaluation_id = excluded.evaluation_id, label = excluded.label,
    utility_label = excluded.utility_label, comment = excluded.comment, updated_at = now()
RETURNING *
"""


def _upsert(key: str, same: str) -> TextClause:
    return text(_SAY.format(keep=_KEEP.format(rows=_SAID.format(same=same)), key=key))


# Answer and workspace are those of the evaluation; without one nothing is inserted.
UPSERT_OF_ANSWER = _upsert(
    "(answer_id, author) WHERE claim_position IS NULL",
    "f.answer_id = e.answer_id AND f.claim_position IS NULL",
)
UPSERT_OF_CLAIM = _upsert(
    "(evaluation_id, author, claim_position)",
    "f.evaluation_id = e.id AND f.claim_position = CAST(:claim_position AS int)",
)

_OF_VERDICT = f"""f.workspace_id = :workspace_id AND EXISTS (
    SELECT FROM qa_evaluations e
    WHERE e.id = :evaluation_id AND e.workspace_id = :workspace_id AND {OF_VERDICT})"""

# Whole answer first, then claim by claim.
FEEDBACK_OF_EVALUATION = text(f"""
SELECT f.* FROM qa_feedback f WHERE {_OF_VERDICT} ORDER BY f.claim_position NULLS FIRST, f.id
""")

# author: whose it has to be, NULL for anybody's.
DELETE_FEEDBACK = text(f"""
WITH f AS (
    DELETE FROM qa_feedback f WHERE f.id = :id AND {_OF_VERDICT}
      AND (CAST(:author AS text) IS NULL OR f.author = :author)
    RETURNING f.*
), past AS ({_KEEP.format(rows="f")})
SELECT author FROM f
""")
FEEDBACK_AUTHOR = text(f"SELECT f.author FROM qa_feedback f WHERE f.id = :id AND {_OF_VERDICT}")

EXISTS = text("""
SELECT EXISTS (
    SELECT FROM qa_evaluations WHERE id = :evaluation_id AND workspace_id = :workspace_id)
""")

_GRADE = "CASE {}.label WHEN 'right' THEN 2 WHEN 'partly' THEN 1 ELSE 0 END"
_ORDINAL = _GRADE.format("l")
# What an author said last of an answer, whichever of its evaluations was looked at.
_LAST_LABELS = """
SELECT DISTINCT ON (f.answer_id, f.author) f.answer_id, f.author, f.label
FROM qa_feedback f
WHERE f.workspace_id = :workspace_id AND f.claim_position IS NULL
ORDER BY f.answer_id DESC, f.author, f.updated_at DESC, f.id DESC
"""
# The judge's newest verdict on the answer; without a name, the verdict that counts. Rules that
# replaced a judge do not count for it.
_JUDGED = """
e.status = 'succeeded' AND NOT e.degraded
AND CASE WHEN CAST(:judge_model AS text) IS NULL THEN e.is_current
    ELSE e.judge_model = :judge_model END
"""

ANSWER_PAIRS = text(f"""
SELECT l.answer_id, v.judge, {_ORDINAL} AS human
FROM ({_LAST_LABELS}) l
CROSS JOIN LATERAL (
    SELECT CASE WHEN e.correctness >= :high THEN 2 WHEN e.correctness >= :medium THEN 1
        ELSE 0 END AS judge
    FROM qa_evaluations e
    WHERE e.answer_id = l.answer_id AND e.workspace_id = :workspace_id
      AND e.correctness IS NOT NULL AND {_JUDGED}
    ORDER BY e.is_current DESC, e.id DESC LIMIT 1
) v
ORDER BY l.answer_id DESC LIMIT :limit
""")

CLAIM_PAIRS = text(f"""
SELECT l.answer_id, {_ORDINAL} AS human,
    CASE c.verdict WHEN 'supported' THEN 2 WHEN 'partly' THEN 1 ELSE 0 END AS judge
FROM qa_feedback l
JOIN qa_evaluations e ON e.id = l.evaluation_id
JOIN qa_claims c ON c.evaluation_id = l.evaluation_id AND c.position = l.claim_position
WHERE l.workspace_id = :workspace_id AND {_JUDGED}
ORDER BY l.answer_id DESC LIMIT :limit
""")

# An author has one label of an answer.
DOUBLE_LABELS = text(f"""
SELECT l.answer_id, l.author AS first_author, o.author AS second_author,
    {_ORDINAL} AS first, {_GRADE.format("o")} AS second
FROM qa_feedback l
JOIN qa_feedback o ON o.answer_id = l.answer_id AND o.workspace_id = l.workspace_id
    AND o.claim_position IS NULL AND o.author > l.author
WHERE l.workspace_id = :workspace_id AND l.claim_position IS NULL
ORDER BY l.answer_id DESC, l.author, o.author LIMIT :limit
""")

# One row an answer: the middle of what people say of it, in doubt the worse.
_GRADED = f"""
    SELECT l.answer_id,
        percentile_disc(0.5) WITHIN GROUP (ORDER BY {_ORDINAL}) AS grade
    FROM ({_LAST_LABELS}) l
    WHERE (CAST(:after AS uuid) IS NULL OR l.answer_id > :after)
      AND (CAST(:ids AS uuid[]) IS NULL OR l.answer_id = ANY(:ids))
    GROUP BY l.answer_id ORDER BY l.answer_id LIMIT :limit
"""
# Without their texts, to choose among them.
GRADES = text(f"""
SELECT p.answer_id, p.grade < 2 AS hallucinated, a.answer ~ '\\S' AND EXISTS (
    SELECT FROM qa_answer_sources s WHERE s.answer_id = p.answer_id AND s.content ~ '\\S'
) AS judgeable
FROM ({_GRADED}) p JOIN qa_answers a ON a.id = p.answer_id AND a.workspace_id = :workspace_id
ORDER BY p.answer_id
""")
LABELLED = text(f"""
WITH page AS ({_GRADED})
SELECT p.answer_id, a.question, a.answer, a.lang,
    (ARRAY['wrong', 'partly', 'right'])[p.grade + 1] AS label,
    e.correctness AS judge_correctness, e.judge_model, e.provider || ':' || e.model AS made_by,
    e.cost_usd,
    ARRAY(SELECT s.content FROM qa_answer_sources s
          WHERE s.answer_id = p.answer_id ORDER BY s.note_index) AS passages,
    (SELECT json_agg(DISTINCT jsonb_build_array(c.start_char, c.end_char))
     FROM qa_feedback f
     JOIN qa_claims c ON c.evaluation_id = f.evaluation_id AND c.position = f.claim_position
     WHERE f.answer_id = p.answer_id AND f.label = 'wrong' AND c.start_char IS NOT NULL) AS spans
FROM page p
JOIN qa_answers a ON a.id = p.answer_id AND a.workspace_id = :workspace_id
LEFT JOIN qa_evaluations e ON e.answer_id = p.answer_id AND e.is_current
ORDER BY p.answer_id
""")

# As true-quality forms its cells, but of all answers that are still stored, judged or not.
CELLS = text("""
WITH framed AS (
    SELECT f.answer_id, string_agg(f.stratum_id::text, ' ' ORDER BY f.stratum_id) AS cell,
        max(f.stratum) AS stratum
    FROM analytics.sample_frames f
    WHERE f.workspace_id = :workspace_id
    GROUP BY 1
)
SELECT max(f.stratum) AS stratum, count(*) AS answers,
    COALESCE(array_agg(f.answer_id ORDER BY f.answer_id) FILTER (WHERE l.correctness_counts), '{}')
        AS labelled
FROM framed f
JOIN qa_answers a ON a.id = f.answer_id AND a.workspace_id = :workspace_id
LEFT JOIN analytics.sampled_labels l
    ON l.answer_id = f.answer_id AND l.workspace_id = :workspace_id
GROUP BY f.cell ORDER BY f.cell
""")


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
LOCK_LABELLING = text(
    "SELECT pg_advisory_xact_lock(hashtextextended('review_label' || :workspace_id, 0))"
)

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
