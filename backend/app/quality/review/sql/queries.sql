-- Labels and agreement, the review queue, reservations for labelling, and random draws.

-- name: replaced
qa_evaluations e JOIN qa_feedback f ON {same} AND f.author = :author
    AND (f.label, f.utility_label, f.comment) IS DISTINCT FROM
        (:label, CAST(:utility_label AS text), CAST(:comment AS text))
    AND e.id = :evaluation_id AND e.workspace_id = :workspace_id

-- name: keep
-- Of rows `f` of qa_feedback that are replaced or deleted.
INSERT INTO qa_past_feedback (id, workspace_id, evaluation_id, answer_id, claim_position, label,
    utility_label, comment, author, said_at, ended_by)
SELECT :past_id, f.workspace_id, f.evaluation_id, f.answer_id, f.claim_position, f.label,
    f.utility_label, f.comment, f.author, f.updated_at, :by
FROM {rows} WHERE (SELECT count(*) FROM qa_past_feedback p
    WHERE p.answer_id = f.answer_id AND p.author = f.author) < {max_past}

-- name: upsert
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

-- name: feedback_of_verdict
f.workspace_id = :workspace_id AND EXISTS (
    SELECT FROM qa_evaluations e
    WHERE e.id = :evaluation_id AND e.workspace_id = :workspace_id AND {of_verdict})

-- name: feedback_of_evaluation
-- Whole answer first, then claim by claim.
SELECT f.* FROM qa_feedback f WHERE {feedback_of_verdict} ORDER BY f.claim_position NULLS FIRST, f.id

-- name: delete_feedback
-- author: whose it has to be, NULL for anybody's.
WITH f AS (
    DELETE FROM qa_feedback f WHERE f.id = :id AND {feedback_of_verdict}
      AND (CAST(:author AS text) IS NULL OR f.author = :author)
    RETURNING f.*
), past AS ({keep})
SELECT author FROM f

-- name: feedback_author
SELECT f.author FROM qa_feedback f WHERE f.id = :id AND {feedback_of_verdict}

-- name: exists
SELECT EXISTS (
    SELECT FROM qa_evaluations WHERE id = :evaluation_id AND workspace_id = :workspace_id)

-- name: last_labels
-- What an author said last of an answer, whichever of its evaluations was looked at.
SELECT DISTINCT ON (f.answer_id, f.author) f.answer_id, f.author, f.label
FROM qa_feedback f
WHERE f.workspace_id = :workspace_id AND f.claim_position IS NULL
ORDER BY f.answer_id DESC, f.author, f.updated_at DESC, f.id DESC

-- name: judged
-- The judge's newest verdict on the answer; without a name, the verdict that counts. Rules that
-- replaced a judge do not count for it.
e.status = 'succeeded' AND NOT e.degraded
AND CASE WHEN CAST(:judge_model AS text) IS NULL THEN e.is_current
    ELSE e.judge_model = :judge_model END

-- name: answer_pairs
SELECT l.answer_id, v.judge, {ordinal} AS human
FROM ({last_labels}) l
CROSS JOIN LATERAL (
    SELECT CASE WHEN e.correctness >= :high THEN 2 WHEN e.correctness >= :medium THEN 1
        ELSE 0 END AS judge
    FROM qa_evaluations e
    WHERE e.answer_id = l.answer_id AND e.workspace_id = :workspace_id
      AND e.correctness IS NOT NULL AND {judged}
    ORDER BY e.is_current DESC, e.id DESC LIMIT 1
) v
ORDER BY l.answer_id DESC LIMIT :limit

-- name: claim_pairs
SELECT l.answer_id, {ordinal} AS human,
    CASE c.verdict WHEN 'supported' THEN 2 WHEN 'partly' THEN 1 ELSE 0 END AS judge
FROM qa_feedback l
JOIN qa_evaluations e ON e.id = l.evaluation_id
JOIN qa_claims c ON c.evaluation_id = l.evaluation_id AND c.position = l.claim_position
WHERE l.workspace_id = :workspace_id AND {judged}
ORDER BY l.answer_id DESC LIMIT :limit

-- name: double_labels
-- An author has one label of an answer.
SELECT l.answer_id, l.author AS first_author, o.author AS second_author,
    {ordinal} AS first, {ordinal_of_other} AS second
FROM qa_feedback l
JOIN qa_feedback o ON o.answer_id = l.answer_id AND o.workspace_id = l.workspace_id
    AND o.claim_position IS NULL AND o.author > l.author
WHERE l.workspace_id = :workspace_id AND l.claim_position IS NULL
ORDER BY l.answer_id DESC, l.author, o.author LIMIT :limit

-- name: graded
-- One row an answer: the middle of what people say of it, in doubt the worse.
    SELECT l.answer_id,
        percentile_disc(0.5) WITHIN GROUP (ORDER BY {ordinal}) AS grade
    FROM ({last_labels}) l
    WHERE (CAST(:after AS uuid) IS NULL OR l.answer_id > :after)
      AND (CAST(:ids AS uuid[]) IS NULL OR l.answer_id = ANY(:ids))
    GROUP BY l.answer_id ORDER BY l.answer_id LIMIT :limit

-- name: grades
-- Without their texts, to choose among them.
SELECT p.answer_id, p.grade < 2 AS hallucinated, a.answer ~ '\S' AND EXISTS (
    SELECT FROM qa_answer_sources s WHERE s.answer_id = p.answer_id AND s.content ~ '\S'
) AS judgeable
FROM ({graded}) p JOIN qa_answers a ON a.id = p.answer_id AND a.workspace_id = :workspace_id
ORDER BY p.answer_id

-- name: cells
-- As true-quality forms its cells, but of all answers that are still stored, judged or not.
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

-- name: queue
-- A page goes on after (after_score, after_id) of the one before; of equals the newest come first.
{ranked}, page AS (
    SELECT * FROM ranked
    WHERE CAST(:after_id AS uuid) IS NULL
       OR (score, id) < (CAST(:after_score AS numeric), CAST(:after_id AS uuid))
    ORDER BY score DESC, id DESC LIMIT :limit
)
SELECT p.score::float8 AS review_score, p.reasons, {row}
FROM page p JOIN qa_evaluations e ON e.id = p.id JOIN qa_answers a ON a.id = e.answer_id
ORDER BY p.score DESC, p.id DESC

-- name: lock_labelling
-- One reservation of a workspace at a time: what one is given the other must leave out.
SELECT pg_advisory_xact_lock(hashtextextended('review_label' || :workspace_id, 0))

-- name: release
DELETE FROM review_reservations
WHERE workspace_id = :workspace_id
  AND (expires_at <= now() OR holder = :holder AND NOT answer_id = ANY(:ids))

-- name: reserve
-- Renews those of the holder. What others hold stays theirs; answers that are deleted at this very
-- moment are left out.
INSERT INTO review_reservations (answer_id, workspace_id, holder, expires_at)
SELECT a.id, a.workspace_id, :holder, now() + make_interval(mins => :minutes)
FROM qa_answers a WHERE a.workspace_id = :workspace_id AND a.id = ANY(:ids)
FOR KEY SHARE
ON CONFLICT (answer_id) DO UPDATE SET expires_at = excluded.expires_at
WHERE review_reservations.holder = excluded.holder

-- name: doubtful
-- One row at least, for the count.
{ranked_labelled}, page AS (
    SELECT r.id, r.score, r.reasons, e.answer_id
    FROM ranked r JOIN qa_evaluations e ON e.id = r.id
    WHERE NOT {reserved_evaluation}
    ORDER BY r.score DESC, r.id DESC LIMIT :limit
)
SELECT c.remaining, p.answer_id, p.reasons
FROM (SELECT count(*) AS remaining FROM ranked) c LEFT JOIN page p ON true
ORDER BY p.score DESC, p.id DESC

-- name: chosen
-- One row at least, for the count. In the order of `ids`, which are evaluations.
WITH chosen AS (
    SELECT e.answer_id, min(c.position) AS position
    FROM unnest(:ids) WITH ORDINALITY AS c(id, position)
    JOIN qa_evaluations e ON e.id = c.id AND e.workspace_id = :workspace_id
    WHERE NOT {labelled_by_author}
    GROUP BY e.answer_id
), page AS (
    SELECT answer_id, position FROM chosen
    WHERE NOT {reserved_chosen}
    ORDER BY position LIMIT :limit
)
SELECT c.remaining, p.answer_id
FROM (SELECT count(*) AS remaining FROM chosen) c LEFT JOIN page p ON true
ORDER BY p.position

-- name: items
-- In the order of `ids`.
SELECT e.id AS evaluation_id, a.id AS answer_id, a.question, a.answer, a.lang,
    (SELECT COALESCE(json_agg(json_build_object('note_index', s.note_index, 'note_id', s.note_id,
        'title', s.title, 'content', s.content) ORDER BY s.note_index), '[]')
     FROM qa_answer_sources s WHERE s.answer_id = a.id) AS notes
FROM qa_answers a JOIN qa_evaluations e ON e.answer_id = a.id AND e.is_current
WHERE a.workspace_id = :workspace_id AND a.id = ANY(:ids)
ORDER BY array_position(:ids, a.id)

-- name: labelled_answers
WITH page AS ({graded})
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

-- name: insert_draw
INSERT INTO review_draws (id, workspace_id, seed, size, since, until, notebook_id, judge_model,
    stratify)
VALUES (:id, :workspace_id, :seed, :size, :since, :until, :notebook_id, :judge_model, :stratify)

-- name: insert_stratum
INSERT INTO review_strata (id, workspace_id, draw_id, name, answer_ids)
VALUES (:id, :workspace_id, :draw_id, :name, :answer_ids)

-- name: insert_items
INSERT INTO review_items (answer_id, workspace_id, draw_id, stratum_id, position,
    inclusion_probability)
SELECT i.answer_id, :workspace_id, :draw_id, i.stratum_id, i.position, i.probability
FROM unnest(:answer_ids, :stratum_ids, CAST(:probabilities AS float8[]))
    WITH ORDINALITY AS i (answer_id, stratum_id, probability, position)

-- name: draws
-- Newest first. Answers deleted since are in no count but `answers`, which is of the time of the
-- draw.
SELECT d.id, d.created_at, d.seed, d.size, d.since, d.until, d.notebook_id, d.judge_model,
    d.stratify, COALESCE(sum(s.answers), 0)::int AS answers,
    COALESCE(sum(s.drawn), 0)::int AS drawn, COALESCE(sum(s.labelled), 0)::int AS labelled,
    json_agg(json_build_object('name', s.name, 'answers', s.answers, 'drawn', s.drawn,
        'labelled', s.labelled, 'inclusion_probability', s.probability) ORDER BY s.name) AS strata
FROM review_draws d
CROSS JOIN LATERAL (
    SELECT t.name, cardinality(t.answer_ids) AS answers, count(i.answer_id) AS drawn,
        count(*) FILTER (WHERE i.answer_id IS NOT NULL AND {labelled_item}) AS labelled,
        max(i.inclusion_probability) AS probability
    FROM review_strata t LEFT JOIN review_items i ON i.stratum_id = t.id
    WHERE t.draw_id = d.id GROUP BY t.id
) s
WHERE d.workspace_id = :workspace_id AND (CAST(:id AS uuid) IS NULL OR d.id = :id)
GROUP BY d.id ORDER BY d.id DESC LIMIT :limit

-- name: progress
SELECT count(*) AS drawn, count(*) FILTER (WHERE {labelled_item}) AS labelled,
    count(*) FILTER (WHERE {unlabelled_item}) AS remaining
FROM review_items i WHERE i.workspace_id = :workspace_id

-- name: draw_queue
-- In the order drawn, oldest draw first; `number` counts through all draws from 1. free: without
-- what somebody has open.
SELECT i.draw_id, i.position, i.number, i.inclusion_probability, i.answer_id, e.id, a.question,
    a.lang
FROM (
    SELECT *, row_number() OVER (ORDER BY draw_id, position) AS number
    FROM review_items WHERE workspace_id = :workspace_id
) i
JOIN qa_evaluations e ON e.answer_id = i.answer_id AND e.is_current
JOIN qa_answers a ON a.id = i.answer_id
WHERE {unlabelled_item} AND NOT (:free AND {reserved_item})
ORDER BY i.number LIMIT :limit

-- name: lock_draws
-- One draw of a workspace at a time: what one picks the other must leave out.
SELECT pg_advisory_xact_lock(hashtextextended('review_draw' || :workspace_id, 0))

-- name: draw_frame
-- A row for each stratum: its name, the ids of its answers, and of those not drawn yet.
SELECT {stratum} AS name, array_agg(e.answer_id ORDER BY e.answer_id) AS answer_ids,
    COALESCE(array_agg(e.answer_id ORDER BY e.answer_id) FILTER (WHERE i.answer_id IS NULL),
        '{}') AS available
FROM qa_evaluations e
JOIN qa_answers a ON a.id = e.answer_id AND a.workspace_id = e.workspace_id
LEFT JOIN review_items i ON i.answer_id = e.answer_id
WHERE e.workspace_id = :workspace_id AND e.is_current AND e.status = 'succeeded'
  AND NOT e.degraded AND e.correctness IS NOT NULL
  AND e.outcome IS DISTINCT FROM 'rightly_refused'
  AND e.answered_at >= :since AND e.answered_at < :until
  AND (CAST(:notebook_id AS uuid) IS NULL OR a.notebook_id = :notebook_id)
  AND (CAST(:judge_model AS text) IS NULL OR e.judge_model = :judge_model)
GROUP BY 1 ORDER BY 1
