-- What named queries have in common, of verdicts `v` and figures `f`, and the statements around them.
--
-- Scores of figures are in billionths. A mean's error is 1.96 standard errors, NULL for fewer than
-- two; sums are integers, so nothing is lost between them.

-- name: day
(v.answered_at AT TIME ZONE %(tz)s)::date

-- name: bucket_day
(f.at AT TIME ZONE %(tz)s)::date

-- name: mean_correctness
round(sum(f.correctness) / 1e9 / NULLIF(sum(f.scored), 0), 4)::float8

-- name: mean_utility
round(sum(f.utility) / 1e9 / NULLIF(sum(f.with_utility), 0), 4)::float8

-- name: error
1.96 * sqrt(({of}::numeric * {squares} - {total} * {total})
        / NULLIF({of}::numeric * {of} * ({of} - 1), 0)) / 1e9

-- name: prepare
-- Times are shown in the time zone that days are counted in. Sorts and joins over a million verdicts
-- stay in memory. Compiling a query takes longer than these run, and on what is in memory or on a
-- solid-state disk an index costs little.
SELECT set_config('TimeZone', :tz, true), set_config('work_mem', '64MB', true),
    set_config('jit', 'off', true), set_config('random_page_cost', '1.1', true),
    set_config('statement_timeout', :timeout, true)

-- name: judge_models
SELECT DISTINCT judge_model FROM qa_evaluations WHERE workspace_id = :workspace_id
ORDER BY judge_model

-- name: has_many_rollups
-- Whether most of the days asked for have a rollup: single rows of many days are read faster in one
-- go, by several processes, than day by day.
SELECT 2 * count(*) > %(until)s::date - %(since)s::date FROM analytics.rolled_days d
WHERE d.workspace_id = %(workspace_id)s AND d.day BETWEEN %(since)s::date AND %(until)s::date
