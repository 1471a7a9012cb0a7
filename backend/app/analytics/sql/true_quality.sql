-- What a mean that people's labels correct is made of: a row of sums for each group, measure and
-- cell. A cell holds the answers that were in the same strata of the same draws, which had one
-- and the same chance of being drawn; it is NULL for answers that were in none.
--
-- group_by: the expression that groups; filters: as for named queries. Only labels that count
-- (analytics.sampled_labels) are summed. raw is the judge's own figure; f, the score that labels are
-- compared with, is the correctness for the share of grounded answers too, since it says more than
-- which side of the threshold it is on. stratum_answers and stratum_labels are of the whole cell,
-- whatever the filters and groups, since the chance is that of the cell.
WITH cells AS (
    SELECT f.answer_id, string_agg(f.stratum_id::text, ' ' ORDER BY f.stratum_id) AS cell,
        max(f.stratum) AS stratum
    FROM analytics.sample_frames f
    WHERE f.workspace_id = %(workspace_id)s
    GROUP BY 1
), scored AS (
    SELECT {group_by} AS grouped, {filters} AS wanted, c.cell, c.stratum, v.correctness, v.utility,
        l.answer_id IS NOT NULL AS drawn,
        CASE WHEN l.correctness_counts THEN l.human_correctness END AS human_correctness,
        CASE WHEN l.utility_counts THEN l.human_utility END AS human_utility
    FROM analytics.verdicts v
    LEFT JOIN cells c ON c.answer_id = v.answer_id
    LEFT JOIN (
        SELECT * FROM analytics.sampled_labels WHERE workspace_id = %(workspace_id)s
    ) l ON l.answer_id = v.answer_id
    WHERE v.workspace_id = %(workspace_id)s AND v.is_current AND v.status = 'succeeded'
        AND NOT v.degraded AND v.correctness IS NOT NULL AND (c.cell IS NOT NULL OR ({filters}))
), measured AS (
    SELECT s.grouped, s.wanted, s.cell, s.stratum, s.drawn, m.measure, m.raw, m.f, m.y
    FROM scored s
    CROSS JOIN LATERAL (VALUES
        ('grounded', (s.correctness >= {grounded})::int::float8, s.correctness,
            (s.human_correctness = 1)::int::float8),
        ('correctness', s.correctness, s.correctness, s.human_correctness),
        ('utility', s.utility, s.utility, s.human_utility)
    ) AS m (measure, raw, f, y)
    WHERE m.f IS NOT NULL
), sums AS (
    SELECT grouped, wanted, measure, cell, max(stratum) AS stratum, count(*) AS answers,
        sum(raw) AS raw, sum(f) AS scores, count(*) FILTER (WHERE drawn) AS drawn, count(y) AS labels,
        COALESCE(sum(y), 0) AS y, COALESCE(sum(f) FILTER (WHERE y IS NOT NULL), 0) AS f,
        COALESCE(sum(y * y), 0) AS yy, COALESCE(sum(f * f) FILTER (WHERE y IS NOT NULL), 0) AS ff,
        COALESCE(sum(y * f), 0) AS yf
    FROM measured
    GROUP BY 1, 2, 3, 4
), whole AS (
    SELECT s.*, sum(answers) OVER same_chance AS stratum_answers,
        sum(labels) OVER same_chance AS stratum_labels
    FROM sums s
    WINDOW same_chance AS (PARTITION BY measure, cell)
)
SELECT grouped, measure, stratum, cell IS NOT NULL AS in_frame, drawn, raw, answers, scores, labels, y, f,
    yy, ff, yf, stratum_answers::bigint AS stratum_answers, stratum_labels::bigint AS stratum_labels
FROM whole
WHERE wanted
ORDER BY grouped NULLS LAST, measure, cell
