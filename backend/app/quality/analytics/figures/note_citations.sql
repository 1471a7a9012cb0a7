-- Each note that an answer cites, however many of its parts. Not joined where cited: PostgreSQL
-- takes that for a few rows, and sorts them all.
SELECT v.answered_at AS at, v.judge_model, g.note_id,
    CASE WHEN g.note_id IS NULL THEN g.title END AS foreign_title, max(g.title) AS title,
    1 AS cited,
    (v.correctness IS NOT NULL AND NOT v.degraded)::int AS scored,
    CASE WHEN NOT v.degraded THEN (v.correctness * 1e9)::int8 END AS correctness,
    (v.correctness < 0.5 AND NOT v.degraded)::int AS ungrounded,
    bool_or(g.note_index = ANY (v.misquoted_notes))::int AS misquoted
FROM analytics.verdicts v
JOIN analytics.given_notes g ON g.answer_id = v.answer_id
WHERE v.is_current AND v.cited_notes IS NOT NULL
    AND {filters}
GROUP BY v.evaluation_id, v.answered_at, v.judge_model, v.correctness, v.degraded, g.note_id,
    CASE WHEN g.note_id IS NULL THEN g.title END
HAVING bool_or(g.note_index = ANY (v.cited_notes))
