-- What a mean that people's labels correct is made of: a row of sums for each group, measure and
-- cell. A cell holds the answers that were in the same strata of the same draws, which had one
-- and the same chance of being drawn; it is NULL for answers that were in none.
--
-- group_by: the expression that groups; filters: as for named queries. Only labels that count
-- (analytics.sampled_labels) are summed. raw is the judge's own figure; f, the score that labels are
-- compared with, is the correctness for the share of grounded answers too, since it says more than
-- which side of the threshold it is on. stratum_answers and stratum_labels are of the whole cell,
-- whatever the filters and groups, since the chance is that of the cell.
--
-- The wanted verdicts are read once for all measures, where an index allows from that alone. Answers
-- of the cells that the filters leave out are looked up one by one (OFFSET 0 keeps the planner from
-- reading the verdicts of all times for them).
WITH cells AS (
    SELECT f.answer_id, string_agg(f.stratum_id::text, ' ' ORDER BY f.stratum_id) AS cell,
        max(f.stratum) AS stratum
    FROM analytics.sample_frames f
    WHERE f.workspace_id = %(workspace_id)s
    GROUP BY 1
), wanted AS (
    SELECT v.answer_id, {group_by} AS grouped, v.correctness, v.utility
    FROM analytics.verdicts v
    WHERE v.workspace_id = %(workspace_id)s AND v.is_current AND v.status = 'succeeded'
        AND NOT v.degraded AND v.correctness IS NOT NULL AND {filters}
), scored AS (
    SELECT w.grouped, w.answer_id IS NOT NULL AS wanted, c.cell, c.stratum,
        COALESCE(w.correctness, o.correctness) AS c, COALESCE(w.utility, o.utility) AS u,
        l.answer_id IS NOT NULL AS drawn,
        CASE WHEN l.correctness_counts THEN l.human_correctness END AS yc,
        CASE WHEN l.utility_counts THEN l.human_utility END AS yu
    FROM wanted w
    FULL JOIN cells c ON c.answer_id = w.answer_id
    LEFT JOIN LATERAL (
        SELECT v.correctness, v.utility
        FROM analytics.verdicts v
        WHERE w.answer_id IS NULL AND v.answer_id = c.answer_id AND v.workspace_id = %(workspace_id)s
            AND v.is_current AND v.status = 'succeeded' AND NOT v.degraded
            AND v.correctness IS NOT NULL
        OFFSET 0
    ) o ON true
    LEFT JOIN (
        SELECT * FROM analytics.sampled_labels WHERE workspace_id = %(workspace_id)s
    ) l ON l.answer_id = c.answer_id
    WHERE w.answer_id IS NOT NULL OR o.correctness IS NOT NULL
), sums AS (
    SELECT grouped, wanted, cell, max(stratum) AS stratum,
        count(*) AS c_answers, count(*) FILTER (WHERE c >= {grounded}) AS c_high, sum(c) AS c_sum,
        count(*) FILTER (WHERE drawn) AS c_drawn, count(yc) AS c_labels,
        count(*) FILTER (WHERE yc = 1) AS g, COALESCE(sum(c) FILTER (WHERE yc = 1), 0) AS gf,
        COALESCE(sum(yc), 0) AS c_y, COALESCE(sum(yc * yc), 0) AS c_yy,
        COALESCE(sum(c) FILTER (WHERE yc IS NOT NULL), 0) AS c_f,
        COALESCE(sum(c * c) FILTER (WHERE yc IS NOT NULL), 0) AS c_ff,
        COALESCE(sum(yc * c), 0) AS c_yf,
        count(u) AS u_answers, sum(u) AS u_sum, count(u) FILTER (WHERE drawn) AS u_drawn,
        count(yu) FILTER (WHERE u IS NOT NULL) AS u_labels,
        COALESCE(sum(yu) FILTER (WHERE u IS NOT NULL), 0) AS u_y,
        COALESCE(sum(yu * yu) FILTER (WHERE u IS NOT NULL), 0) AS u_yy,
        COALESCE(sum(u) FILTER (WHERE yu IS NOT NULL), 0) AS u_f,
        COALESCE(sum(u * u) FILTER (WHERE yu IS NOT NULL), 0) AS u_ff,
        COALESCE(sum(yu * u), 0) AS u_yf
    FROM scored
    GROUP BY 1, 2, 3
), measured AS (
    SELECT s.grouped::text AS grouped, s.wanted, s.cell, s.stratum, m.*
    FROM sums s
    CROSS JOIN LATERAL (VALUES
        ('grounded', c_answers, c_high::float8, c_sum, c_drawn, c_labels, g::float8, c_f,
            g::float8, c_ff, gf),
        ('correctness', c_answers, c_sum, c_sum, c_drawn, c_labels, c_y, c_f, c_yy, c_ff, c_yf),
        ('utility', u_answers, u_sum, u_sum, u_drawn, u_labels, u_y, u_f, u_yy, u_ff, u_yf)
    ) AS m (measure, answers, raw, scores, drawn, labels, y, f, yy, ff, yf)
    WHERE m.answers > 0
), whole AS (
    SELECT m.*, sum(answers) OVER same_chance AS stratum_answers,
        sum(labels) OVER same_chance AS stratum_labels
    FROM measured m
    WINDOW same_chance AS (PARTITION BY measure, cell)
)
SELECT grouped, measure, stratum, cell IS NOT NULL AS in_frame, drawn, raw, answers, scores, labels, y, f,
    yy, ff, yf, stratum_answers::bigint AS stratum_answers, stratum_labels::bigint AS stratum_labels
FROM whole
WHERE wanted
ORDER BY grouped NULLS LAST, measure, cell
