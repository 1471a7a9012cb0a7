/*
title_ko: 날짜별 품질
title_en: "Quality by day"
description: >-
  Average correctness and utility of each day, with how many answers they stand for and why
  others have no score.
columns:
  - [day, date, day, "Day of the answer, in the time zone asked for."]
  - [correctness, number, 0..1, "Mean correctness."]
  - [utility, number, 0..1, "Mean utility."]
  - coverage
  - [no_context, integer, answers, "Skipped: no notes were found."]
  - [sampled_out, integer, answers, "Skipped: not in the sample."]
  - [disabled, integer, answers, "Skipped: judging was off."]
  - [not_search_qa, integer, answers, "Skipped: a feature that is not judged."]
*/
SELECT {day} AS day,
    round((avg(v.correctness) FILTER (WHERE NOT v.degraded))::numeric, 4)::float8 AS correctness,
    round((avg(v.utility) FILTER (WHERE NOT v.degraded))::numeric, 4)::float8 AS utility,
    {coverage},
    count(*) FILTER (WHERE v.reason = 'no_context') AS no_context,
    count(*) FILTER (WHERE v.reason = 'sampled_out') AS sampled_out,
    count(*) FILTER (WHERE v.reason = 'disabled') AS disabled,
    count(*) FILTER (WHERE v.reason = 'not_search_qa') AS not_search_qa
FROM analytics.verdicts v
WHERE v.is_current
    AND {filters}
GROUP BY 1
ORDER BY 1
