"""SQL of random draws: what may be drawn, what was, and what people still have to label."""

from collections.abc import Mapping, Sequence
from typing import Literal

from sqlalchemy import TextClause, bindparam, text
from sqlalchemy.dialects.postgresql import ARRAY, UUID

from app.quality.review.queries import labelled, reserved, unlabelled

StratifyBy = Literal["confidence", "lang", "judge", "model", "notebook", "feature"]

STRATIFY: Mapping[StratifyBy, str] = {
    "confidence": "COALESCE(e.confidence, '-')",
    "lang": "a.lang",
    "judge": "e.provider || ':' || e.model",
    "model": "COALESCE(a.provider || ':' || a.model, a.model, '-')",
    "notebook": "COALESCE(a.notebook_id::text, '-')",
    "feature": "a.feature",
}

# One draw of a workspace at a time: what one picks the other must leave out.
LOCK = text("SELECT pg_advisory_xact_lock(hashtextextended('review_draw' || :workspace_id, 0))")


def frame(stratify: Sequence[StratifyBy]) -> TextClause:
    """A row for each stratum: its name, the ids of its answers, and of those not drawn yet."""
    name = " || ' · ' || ".join(STRATIFY[each] for each in stratify) or "'all'"
    return text(f"""
SELECT {name} AS name, array_agg(e.answer_id ORDER BY e.answer_id) AS answer_ids,
    COALESCE(array_agg(e.answer_id ORDER BY e.answer_id) FILTER (WHERE i.answer_id IS NULL),
        '{{}}') AS available
FROM qa_evaluations e
JOIN qa_answers a ON a.id = e.answer_id AND a.workspace_id = e.workspace_id
LEFT JOIN review_items i ON i.answer_id = e.answer_id
WHERE e.workspace_id = :workspace_id AND e.is_current AND e.status = 'succeeded'
  AND NOT e.degraded AND e.correctness IS NOT NULL
  AND e.answered_at >= :since AND e.answered_at < :until
  AND (CAST(:notebook_id AS uuid) IS NULL OR a.notebook_id = :notebook_id)
  AND (CAST(:judge_model AS text) IS NULL OR e.judge_model = :judge_model)
GROUP BY 1 ORDER BY 1
""")


INSERT_DRAW = text("""
INSERT INTO review_draws (id, workspace_id, seed, size, since, until, notebook_id, judge_model,
    stratify)
VALUES (:id, :workspace_id, :seed, :size, :since, :until, :notebook_id, :judge_model, :stratify)
""")
INSERT_STRATUM = text("""
INSERT INTO review_strata (id, workspace_id, draw_id, name, answer_ids)
VALUES (:id, :workspace_id, :draw_id, :name, :answer_ids)
""").bindparams(bindparam("answer_ids", type_=ARRAY(UUID)))
INSERT_ITEMS = text("""
INSERT INTO review_items (answer_id, workspace_id, draw_id, stratum_id, position,
    inclusion_probability)
SELECT i.answer_id, :workspace_id, :draw_id, i.stratum_id, i.position, i.probability
FROM unnest(:answer_ids, :stratum_ids, CAST(:probabilities AS float8[]))
    WITH ORDINALITY AS i (answer_id, stratum_id, probability, position)
""").bindparams(
    bindparam("answer_ids", type_=ARRAY(UUID)), bindparam("stratum_ids", type_=ARRAY(UUID))
)

_LABELLED = labelled("i")

# Newest first. Answers deleted since are in no count but `answers`, which is of the time of the
# draw.
DRAWS = text(f"""
SELECT d.id, d.created_at, d.seed, d.size, d.since, d.until, d.notebook_id, d.judge_model,
    d.stratify, COALESCE(sum(s.answers), 0)::int AS answers,
    COALESCE(sum(s.drawn), 0)::int AS drawn, COALESCE(sum(s.labelled), 0)::int AS labelled,
    json_agg(json_build_object('name', s.name, 'answers', s.answers, 'drawn', s.drawn,
        'labelled', s.labelled, 'inclusion_probability', s.probability) ORDER BY s.name) AS strata
FROM review_draws d
CROSS JOIN LATERAL (
    SELECT t.name, cardinality(t.answer_ids) AS answers, count(i.answer_id) AS drawn,
        count(*) FILTER (WHERE i.answer_id IS NOT NULL AND {_LABELLED}) AS labelled,
        max(i.inclusion_probability) AS probability
    FROM review_strata t LEFT JOIN review_items i ON i.stratum_id = t.id
    WHERE t.draw_id = d.id GROUP BY t.id
) s
WHERE d.workspace_id = :workspace_id AND (CAST(:id AS uuid) IS NULL OR d.id = :id)
GROUP BY d.id ORDER BY d.id DESC LIMIT :limit
""")

# In the order drawn, oldest draw first; `number` counts through all draws from 1. free: without
# what somebody has open.
QUEUE = text(f"""
SELECT i.draw_id, i.position, i.number, i.inclusion_probability, i.answer_id, e.id, a.question,
    a.lang
FROM (
    SELECT *, row_number() OVER (ORDER BY draw_id, position) AS number
    FROM review_items WHERE workspace_id = :workspace_id
) i
JOIN qa_evaluations e ON e.answer_id = i.answer_id AND e.is_current
JOIN qa_answers a ON a.id = i.answer_id
WHERE {unlabelled("i")} AND NOT (:free AND {reserved("i")})
ORDER BY i.number LIMIT :limit
""")
PROGRESS = text(f"""
SELECT count(*) AS drawn, count(*) FILTER (WHERE {_LABELLED}) AS labelled,
    count(*) FILTER (WHERE {unlabelled("i")}) AS remaining
FROM review_items i WHERE i.workspace_id = :workspace_id
""")
