-- Each note that an answer with a verdict was given, part by part.
SELECT v.answered_at AS at, v.judge_model, g.note_id,
    CASE WHEN g.note_id IS NULL THEN g.title END AS foreign_title, g.title,
    1 AS given,
    (g.note_index = ANY (v.cited_notes))::int AS cited,
    (g.note_index <> ALL (v.cited_notes))::int AS ignored,
    (g.note_index = ANY (v.misquoted_notes))::int AS misquoted
FROM analytics.verdicts v
JOIN analytics.given_notes g ON g.answer_id = v.answer_id
WHERE v.is_current AND v.cited_notes IS NOT NULL
    AND {filters}
