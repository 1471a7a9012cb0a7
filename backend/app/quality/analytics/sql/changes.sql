-- Scored answers by day, and by what may differ between one day and those before it. Filters are
-- those of named queries.

-- name: scored
v.is_current AND v.correctness IS NOT NULL AND NOT v.degraded

-- name: days
SELECT {day}, count(*), sum(v.correctness), sum(v.correctness * v.correctness)
FROM analytics.verdicts v
WHERE {scored} AND {filters}
GROUP BY 1 ORDER BY 1

-- name: groups
-- A row for each value of each dimension: answers, the sum of their correctness and of its squares,
-- before the day `began` and from then on. share: 1 takes all answers before it, 0.1 about a tenth.
WITH answers AS MATERIALIZED (
    SELECT v.answer_id, v.correctness AS x, v.cited_notes, {day} >= {began}::date AS later,
        ARRAY[v.answer_model, v.judge_model, v.notebook_id::text, v.prompt_version, v.lang::text,
            v.feature::text, v.app_version, v.environment] AS values
    FROM analytics.verdicts v
    WHERE {scored} AND {filters} AND {day} <= {began}::date
        AND ({day} = {began}::date
            OR hashtext(v.evaluation_id::text) < -2147483648 + {share} * 4294967296)
), valued AS (
    SELECT d.dimension, d.value, NULL AS name, x, later
    FROM answers CROSS JOIN LATERAL unnest(
        ARRAY['answer_model', 'judge_model', 'notebook', 'prompt_version', 'lang', 'feature',
            'app_version', 'environment'], values) AS d (dimension, value)
    WHERE d.value IS NOT NULL
    UNION ALL
    SELECT 'cited_note', COALESCE(s.note_id::text, s.title), s.title, x, later
    FROM answers q
    JOIN qa_answer_sources s ON s.workspace_id = %(workspace_id)s AND s.answer_id = q.answer_id
        AND s.note_index = ANY (q.cited_notes)
), summed AS (
    SELECT dimension, value, max(name) AS name,
        count(*) FILTER (WHERE NOT later) AS n, sum(x) FILTER (WHERE NOT later) AS total,
        sum(x * x) FILTER (WHERE NOT later) AS squares, count(*) FILTER (WHERE later) AS later_n,
        sum(x) FILTER (WHERE later) AS later_total, sum(x * x) FILTER (WHERE later) AS later_squares
    FROM valued GROUP BY 1, 2
)
SELECT dimension, value, CASE WHEN dimension = 'notebook' THEN (
        SELECT b.name FROM notebooks b
        WHERE b.workspace_id = %(workspace_id)s AND b.id = value::uuid) ELSE name END,
    n, COALESCE(total, 0), COALESCE(squares, 0),
    later_n, COALESCE(later_total, 0), COALESCE(later_squares, 0)
FROM summed
ORDER BY n + later_n DESC, dimension, value LIMIT 2000
