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
  - [cancelled, integer, answers, "Skipped: it was to be judged again, and is not."]
  - [filtered_feature, integer, answers, "Skipped: the policy judges other features."]
  - [filtered_language, integer, answers, "Skipped: the policy judges other languages."]
  - [filtered_length, integer, answers, "Skipped: the policy judges other lengths."]
  - [filtered_notebook, integer, answers, "Skipped: the policy judges other notebooks."]
*/
SELECT {day} AS day,
    round((avg(v.correctness) FILTER (WHERE NOT v.degraded))::numeric, 4)::float8 AS correctness,
    round((avg(v.utility) FILTER (WHERE NOT v.degraded))::numeric, 4)::float8 AS utility,
    {coverage},
    count(*) FILTER (WHERE v.reason = 'no_context') AS no_context,
    count(*) FILTER (WHERE v.reason = 'sampled_out') AS sampled_out,
    count(*) FILTER (WHERE v.reason = 'disabled') AS disabled,
    count(*) FILTER (WHERE v.reason = 'not_search_qa') AS not_search_qa,
    count(*) FILTER (WHERE v.reason = 'cancelled') AS cancelled,
    count(*) FILTER (WHERE v.reason = 'filtered_feature') AS filtered_feature,
    count(*) FILTER (WHERE v.reason = 'filtered_language') AS filtered_language,
    count(*) FILTER (WHERE v.reason = 'filtered_length') AS filtered_length,
    count(*) FILTER (WHERE v.reason = 'filtered_notebook') AS filtered_notebook
FROM analytics.verdicts v
WHERE v.is_current
    AND {filters}
GROUP BY 1
ORDER BY 1
