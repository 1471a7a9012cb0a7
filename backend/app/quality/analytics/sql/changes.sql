-- Scored answers by day, and those of one day and of the days before it. Filters are those of named
-- queries.

-- name: scored
v.is_current AND v.correctness IS NOT NULL AND NOT v.degraded

-- name: days
-- Of closed days the sums are stored.
SELECT {bucket_day}, sum(f.scored)::bigint, (sum(f.correctness) / 1e9)::float8,
    (sum(f.correctness_squares) / 1e18)::float8
FROM {verdicts} f
WHERE f.is_current AND f.scored > 0
GROUP BY 1 ORDER BY 1

-- name: answers
-- For queries.groups. began: the day; share_before, share_later: 1 takes all answers before it, or
-- of it, 0.1 about a tenth.
SELECT v.answer_id, v.correctness AS x, v.cited_notes AS notes, {day} = {began}::date AS later,
    ARRAY[{values}] AS values
FROM analytics.verdicts v
WHERE {scored} AND {filters} AND {day} <= {began}::date
    AND hashtext(v.evaluation_id::text) < -2147483648 + 4294967296
        * CASE WHEN {day} = {began}::date THEN {share_later} ELSE {share_before} END
