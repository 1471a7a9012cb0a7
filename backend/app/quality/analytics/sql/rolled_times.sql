-- Percentiles of days in the time zone asked for, of which all days (UTC) that they overlap have a
-- valid rollup. rolled: false where none may be read.
(
    SELECT r.began, r.ended, r.verdicts, r.queue_ms, r.judge_ms, r.verdict_ms
    FROM analytics.daily_times r
    WHERE {rolled} AND r.workspace_id = %(workspace_id)s AND r.judge_model {judge_model}
    AND r.began >= {since} AND r.ended <= {until}
    AND NOT EXISTS (
        SELECT FROM generate_series(date_trunc('day', r.began AT TIME ZONE 'UTC'),
            r.ended AT TIME ZONE 'UTC' - interval '1 us', interval '1 day') u (day)
        WHERE u.day::date NOT IN (SELECT d.day FROM analytics.rolled_days d
            WHERE d.workspace_id = %(workspace_id)s))
)
