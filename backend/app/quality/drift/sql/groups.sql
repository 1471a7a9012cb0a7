-- Answers by what may have changed.

-- name: groups
-- A row for each value of each dimension, with how many answers, the sum of their figure and of its
-- squares, before the change and from then on. The first row, without a dimension, is of all
-- answers. answers: gives of each its id, the figure x, the places of notes, whether it is `later`,
-- and the values of the dimensions. Copies of a note are one value: their ids.
WITH answers AS MATERIALIZED ({answers}), noted AS MATERIALIZED (
    SELECT q.answer_id, q.x, q.later, s.note_id, s.title AS name
    FROM answers q
    CROSS JOIN LATERAL (SELECT DISTINCT unnest(q.notes) AS note_index) m
    JOIN qa_answer_sources s ON s.workspace_id = %(workspace_id)s AND s.answer_id = q.answer_id
        AND s.note_index = m.note_index
), copies AS (
    SELECT n.note_id, string_agg(n.note_id::text, ' ') OVER (
        PARTITION BY COALESCE(t.text_hash, n.note_id::text)
        ORDER BY n.note_id ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS ids
    FROM (SELECT DISTINCT note_id FROM noted WHERE note_id IS NOT NULL) n
    LEFT JOIN LATERAL (
        SELECT t.text_hash FROM analytics.note_texts t WHERE t.note_id = n.note_id OFFSET 0
    ) t ON true
), valued AS (
    SELECT NULL AS dimension, NULL AS value, NULL AS name, x, later FROM answers
    UNION ALL
    SELECT d.dimension, d.value, NULL, x, later
    FROM answers CROSS JOIN LATERAL unnest(ARRAY[{dimensions}], values) AS d (dimension, value)
    WHERE d.value IS NOT NULL
    UNION ALL
    SELECT DISTINCT ON (answer_id, value) '{noted}', value, name, x, later
    FROM noted LEFT JOIN copies USING (note_id)
    CROSS JOIN LATERAL (SELECT COALESCE(copies.ids, note_id::text, name) AS value) v
)
SELECT dimension, value,
    CASE WHEN dimension = 'notebook' THEN (
        SELECT n.name FROM notebooks n
        WHERE n.workspace_id = %(workspace_id)s AND n.id = value::uuid)
    ELSE max(name) END AS name,
    count(*) FILTER (WHERE NOT later), COALESCE(sum(x) FILTER (WHERE NOT later), 0),
    COALESCE(sum(x * x) FILTER (WHERE NOT later), 0),
    count(*) FILTER (WHERE later), COALESCE(sum(x) FILTER (WHERE later), 0),
    COALESCE(sum(x * x) FILTER (WHERE later), 0)
FROM valued
GROUP BY dimension, value
ORDER BY dimension IS NOT NULL, count(*) DESC, dimension, value LIMIT 2000

-- name: answers_of_series
-- figure: the expression that the series is the mean of; measured: which answers have one; labels:
-- joins that these need; values: of the dimensions; notes: misquoted ones, where they are looked
-- at. share: 1 takes all answers, 0.1 about a tenth of them.
SELECT e.answer_id, {figure} AS x, {notes} AS notes,
    e.answered_at >= %(began)s::timestamp AT TIME ZONE %(zone)s AS later, ARRAY[{values}] AS values
FROM qa_evaluations e
JOIN qa_answers a ON a.id = e.answer_id AND a.workspace_id = e.workspace_id
{labels}
WHERE e.workspace_id = %(workspace_id)s AND e.is_current AND e.judge_model = %(judge_model)s
    AND e.answered_at >= %(since)s::timestamp AT TIME ZONE %(zone)s
    AND e.answered_at < %(until)s::timestamp AT TIME ZONE %(zone)s
    AND {measured} AND hashtext(e.id::text) < -2147483648 + %(share)s * 4294967296
