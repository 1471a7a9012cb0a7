/*
title_ko: 이전 기간과 비교
title_en: "A period beside the one before"
description: >-
  Average scores of the days asked for, and of as many days before them. A period without answers
  has no row.
columns:
  - [period, text, null, "now: the days asked for; before: as many days before them."]
  - [first_day, date, day, "Its first day."]
  - [last_day, date, day, "Its last day, included."]
  - [correctness, number, 0..1, "Mean correctness."]
  - [correctness_error, number, 0..1, "Half of its 95 % interval: 1.96 standard errors; null below two scores."]
  - [utility, number, 0..1, "Mean utility."]
  - [utility_error, number, 0..1, "Half of its 95 % interval."]
  - coverage
*/
SELECT p.period, p.first_day, p.last_day, c.*
FROM (
    SELECT 'now' AS period, %(since)s::date AS first_day, %(until)s::date AS last_day
    UNION ALL
    SELECT 'before', %(since)s::date - (%(until)s::date - %(since)s::date + 1),
        %(since)s::date - 1
) p
CROSS JOIN LATERAL (
    SELECT round((avg(v.correctness) FILTER (WHERE NOT v.degraded))::numeric, 4)::float8
            AS correctness,
        round((1.96 * stddev_samp(v.correctness) FILTER (WHERE NOT v.degraded)
            / sqrt(count(v.correctness) FILTER (WHERE NOT v.degraded)))::numeric, 4)::float8
            AS correctness_error,
        round((avg(v.utility) FILTER (WHERE NOT v.degraded))::numeric, 4)::float8 AS utility,
        round((1.96 * stddev_samp(v.utility) FILTER (WHERE NOT v.degraded)
            / sqrt(count(v.utility) FILTER (WHERE NOT v.degraded)))::numeric, 4)::float8
            AS utility_error,
        {coverage}
    FROM analytics.verdicts v
    WHERE v.is_current
        AND v.answered_at >= p.first_day::timestamp AT TIME ZONE %(tz)s
        AND v.answered_at < (p.last_day + 1)::timestamp AT TIME ZONE %(tz)s
        AND {filters_but_days}
) c
WHERE c.answers > 0
ORDER BY p.first_day DESC
