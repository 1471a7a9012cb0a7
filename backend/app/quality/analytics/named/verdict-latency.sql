/*
title_ko: 평가 소요 시간
title_en: "How long verdicts take"
description: >-
  Percentiles of each day, degraded verdicts included. With a new answer, verdict is the time
  from answer to verdict.
columns:
  - [day, date, day, "Day of the answer, in the time zone asked for."]
  - [verdicts, integer, verdicts, "Verdicts that were timed."]
  - [queue_p50, number, ms, "Waiting for a worker: 50 % took no longer."]
  - [queue_p95, number, ms, "Waiting for a worker: 95 % took no longer."]
  - [queue_p99, number, ms, "Waiting for a worker: 99 % took no longer."]
  - [judge_p50, number, ms, "What the judge took: 50 % took no longer."]
  - [judge_p95, number, ms, "What the judge took: 95 % took no longer."]
  - [judge_p99, number, ms, "What the judge took: 99 % took no longer."]
  - [verdict_p50, number, ms, "From asking for a verdict to having it: 50 % took no longer."]
  - [verdict_p95, number, ms, "From asking for a verdict to having it: 95 % took no longer."]
  - [verdict_p99, number, ms, "From asking for a verdict to having it: 99 % took no longer."]
*/
SELECT d.day::date AS day, t.verdicts,
    round(t.queue_ms[1]::numeric, 1)::float8 AS queue_p50,
    round(t.queue_ms[2]::numeric, 1)::float8 AS queue_p95,
    round(t.queue_ms[3]::numeric, 1)::float8 AS queue_p99,
    round(t.judge_ms[1]::numeric, 1)::float8 AS judge_p50,
    round(t.judge_ms[2]::numeric, 1)::float8 AS judge_p95,
    round(t.judge_ms[3]::numeric, 1)::float8 AS judge_p99,
    round(t.verdict_ms[1]::numeric, 1)::float8 AS verdict_p50,
    round(t.verdict_ms[2]::numeric, 1)::float8 AS verdict_p95,
    round(t.verdict_ms[3]::numeric, 1)::float8 AS verdict_p99
FROM (
    SELECT (min(f.at) AT TIME ZONE %(tz)s)::date AS first,
        (max(f.at) AT TIME ZONE %(tz)s)::date AS last
    FROM {verdicts} f
) days
CROSS JOIN generate_series(days.first::timestamp, days.last, interval '1 day') d (day)
CROSS JOIN LATERAL (
    SELECT d.day AT TIME ZONE %(tz)s AS began,
        (d.day + interval '1 day') AT TIME ZONE %(tz)s AS ended
) w
LEFT JOIN {times} s ON s.began = w.began AND s.ended = w.ended
CROSS JOIN LATERAL (
    SELECT s.verdicts, s.queue_ms, s.judge_ms, s.verdict_ms
    WHERE s.verdicts IS NOT NULL
    UNION ALL
    -- A few thousand times are sorted at once, not a million.
    SELECT count(*), {percentiles}
    FROM analytics.verdicts v
    WHERE s.verdicts IS NULL AND v.status = 'succeeded' AND v.is_current
    AND v.answered_at >= w.began AND v.answered_at < w.ended
    AND {filters}
    HAVING s.verdicts IS NULL
) t
WHERE t.verdicts > 0
ORDER BY {by_time}
