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
SELECT CASE WHEN p.now THEN 'now' ELSE 'before' END AS period,
    CASE WHEN p.now THEN %(since)s::date
        ELSE %(since)s::date - (%(until)s::date - %(since)s::date + 1) END AS first_day,
    CASE WHEN p.now THEN %(until)s::date ELSE %(since)s::date - 1 END AS last_day,
    {mean_correctness} AS correctness,
    round({error_of_correctness}, 4)::float8 AS correctness_error,
    {mean_utility} AS utility,
    round({error_of_utility}, 4)::float8 AS utility_error,
    {coverage}
FROM {verdicts_of_both_periods} f
CROSS JOIN LATERAL (SELECT f.at >= %(since)s::timestamp AT TIME ZONE %(tz)s AS now) p
WHERE f.is_current
GROUP BY p.now
ORDER BY 2 DESC
