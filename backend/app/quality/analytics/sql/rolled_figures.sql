-- Figures of days: sums of those (UTC) that have a valid rollup, single rows of the others, in one
-- snapshot. A day (UTC) has 24 hours in every time zone. since, until: the moments between which they are asked for; condition: on the sums;
-- whole: which days may come from a rollup at all; rows: the single rows of the day u.day.
(
    SELECT {columns}
    FROM analytics.{view} r
    WHERE r.workspace_id = %(workspace_id)s
    AND r.at >= {since}
    AND r.at <= {until} - interval '{hours} hours'
    AND {condition}
    AND EXISTS (SELECT FROM analytics.rolled_days d
        WHERE d.workspace_id = %(workspace_id)s AND d.day = (r.at AT TIME ZONE 'UTC')::date)
    UNION ALL
    SELECT {single_columns}
    FROM generate_series(date_trunc('day', ({since}) AT TIME ZONE 'UTC'),
        ({until}) AT TIME ZONE 'UTC' - interval '1 us', interval '1 day') u (day)
    CROSS JOIN LATERAL (
{rows}
    -- It keeps the days apart: in one go PostgreSQL would read all of them and then choose.
    OFFSET 0
    ) x
    WHERE NOT (EXISTS (SELECT FROM analytics.rolled_days d
        WHERE d.workspace_id = %(workspace_id)s AND d.day = u.day::date){whole})
)
