-- A few verdicts among which the slowest are: those that rollups keep of a day (UTC), and all of the
-- days that have no valid rollup, or that may have further ones of the first %(limit)s, for the last
-- that is kept of them is as slow. condition: on those that are kept; rows: the verdicts of the day
-- u.day; whole: which days may come from a rollup.
(
    WITH days AS MATERIALIZED (
        SELECT u.day, EXISTS (SELECT FROM analytics.rolled_days d
            WHERE d.workspace_id = %(workspace_id)s AND d.day = u.day::date){whole} AS is_rolled
        FROM generate_series(date_trunc('day', ({since}) AT TIME ZONE 'UTC'),
            ({until}) AT TIME ZONE 'UTC' - interval '1 us', interval '1 day') u (day)
    ), kept AS MATERIALIZED (
        SELECT u.day, r.evaluation_id, r.judge_model, r.verdict_ms, r.of_all
        FROM days u
        JOIN analytics.daily_slowest r ON r.at = u.day AT TIME ZONE 'UTC'
        WHERE u.is_rolled AND r.workspace_id = %(workspace_id)s
    ), bar AS MATERIALIZED (
        SELECT max(verdict_ms) AS verdict_ms FROM (
            SELECT r.verdict_ms FROM kept r
            WHERE {condition}
            ORDER BY 1 DESC OFFSET %(limit)s - 1 LIMIT 1
        ) last
    ), cut AS MATERIALIZED (
        SELECT r.day FROM kept r GROUP BY 1
        HAVING count(*) < max(r.of_all)
            AND min(r.verdict_ms) >= COALESCE((SELECT verdict_ms FROM bar), '-infinity')
    )
    SELECT r.evaluation_id, r.verdict_ms FROM kept r
    WHERE {condition} AND r.day NOT IN (SELECT day FROM cut)
    UNION ALL
    SELECT x.evaluation_id, x.verdict_ms
    FROM days u
    CROSS JOIN LATERAL (
{rows}
    OFFSET 0
    ) x
    WHERE NOT u.is_rolled OR u.day IN (SELECT day FROM cut)
)
