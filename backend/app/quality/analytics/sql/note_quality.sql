-- What became of the answers that were given one note, current verdicts only.
-- Parameters: workspace_id, note_id, since (a moment), tz.

-- name: given
SELECT e.id, e.answered_at, {correctness} AS correctness, e.degraded, a.question,
    bool_or(s.note_index = ANY (e.cited_notes)) AS cited,
    bool_or(s.note_index = ANY (e.misquoted_notes)) AS misquoted,
    min(s.note_index) FILTER (WHERE s.note_index = ANY (e.misquoted_notes)) AS misquoted_index
FROM qa_answer_sources s
JOIN qa_answers a ON a.id = s.answer_id AND a.workspace_id = s.workspace_id
JOIN qa_evaluations e ON e.answer_id = s.answer_id AND e.workspace_id = s.workspace_id
    AND e.is_current
WHERE s.workspace_id = :workspace_id AND s.note_id = :note_id AND e.answered_at >= :since
GROUP BY e.id, e.answered_at, e.correctness, e.degraded, a.question

-- name: sums
SELECT count(*) AS given, count(*) FILTER (WHERE g.cited) AS cited,
    count(*) FILTER (WHERE g.cited AND NOT g.degraded AND g.correctness IS NOT NULL) AS scored,
    avg(g.correctness) FILTER (WHERE g.cited AND NOT g.degraded) AS correctness,
    count(*) FILTER (WHERE g.cited AND NOT g.degraded AND g.correctness < 0.5) AS ungrounded,
    count(*) FILTER (WHERE g.misquoted) AS misquoted, max(g.answered_at) AS last_given_at
FROM ({given}) g

-- name: weeks
-- Mondays of the time zone, the oldest first.
SELECT date_trunc('week', g.answered_at AT TIME ZONE :tz)::date AS week, count(*) AS cited,
    avg(g.correctness) FILTER (WHERE NOT g.degraded) AS correctness
FROM ({given}) g WHERE g.cited GROUP BY 1 ORDER BY 1

-- name: misquotes
SELECT g.id AS evaluation_id, g.answered_at, g.question, q.quote
FROM ({given}) g
JOIN qa_evaluation_sources q ON q.evaluation_id = g.id AND q.note_index = g.misquoted_index
WHERE g.misquoted AND q.quote <> '' ORDER BY g.answered_at DESC, g.id LIMIT 5
