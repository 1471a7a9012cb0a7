-- Sums of what each release answered, and of its groups. Filters are those of named queries.

-- name: scored
v.correctness IS NOT NULL AND NOT v.degraded

-- name: sums
-- The newest releases by their first answer, whatever the filters; columns as ReleaseSums has them.
SELECT r.app_version, f.first_seen_at, r.last_seen_at, r.answers, r.high, r.c, r.c_sum, r.c_squares,
    r.u, r.u_sum, r.u_squares
FROM (
    SELECT v.app_version, max(v.answered_at) AS last_seen_at, count(*) AS answers,
        count(*) FILTER (WHERE {scored} AND v.confidence = 'high') AS high,
        count(*) FILTER (WHERE {scored}) AS c,
        COALESCE(sum(v.correctness) FILTER (WHERE {scored}), 0) AS c_sum,
        COALESCE(sum(v.correctness * v.correctness) FILTER (WHERE {scored}), 0) AS c_squares,
        count(v.utility) FILTER (WHERE {scored}) AS u,
        COALESCE(sum(v.utility) FILTER (WHERE {scored}), 0) AS u_sum,
        COALESCE(sum(v.utility * v.utility) FILTER (WHERE {scored}), 0) AS u_squares
    FROM analytics.verdicts v
    WHERE v.app_version IS NOT NULL AND v.is_current AND {filters}
    GROUP BY 1
) r
CROSS JOIN LATERAL (
    SELECT min(a.created_at) AS first_seen_at FROM qa_answers a
    WHERE a.workspace_id = %(workspace_id)s AND a.app_version = r.app_version
) f
ORDER BY f.first_seen_at DESC, r.app_version DESC LIMIT {releases}

-- name: groups
-- Languages and topics with enough answers. The topic is what the application names as `category`,
-- else the category of the first note, else the notebook.
SELECT v.app_version, v.lang::text, t.topic, count(*), sum(v.correctness),
    sum(v.correctness * v.correctness)
FROM analytics.verdicts v
LEFT JOIN qa_answer_sources s ON s.answer_id = v.answer_id AND s.note_index = 1
    AND s.workspace_id = v.workspace_id
LEFT JOIN notes n ON n.id = s.note_id AND n.workspace_id = v.workspace_id
LEFT JOIN notebooks b ON b.id = COALESCE(v.notebook_id, n.notebook_id)
    AND b.workspace_id = v.workspace_id
CROSS JOIN LATERAL (SELECT COALESCE(v.attributes ->> 'category', n.category, b.name) AS topic) t
WHERE v.app_version IS NOT NULL AND v.is_current AND {scored} AND {filters}
GROUP BY 1, 2, 3 HAVING count(*) >= {min_answers}
ORDER BY 4 DESC, 1, 2, 3 LIMIT 5000
