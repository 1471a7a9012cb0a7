/*
title_ko: 날짜별 품질
title_en: "Quality by day"
description: >-
  Average correctness and utility of each day, the number of answers behind them and why others
  have no score.
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
SELECT {bucket_day} AS day, {mean_correctness} AS correctness, {mean_utility} AS utility,
    {coverage},
    COALESCE(sum(f.answers) FILTER (WHERE f.reason = 'no_context'), 0) AS no_context,
    COALESCE(sum(f.answers) FILTER (WHERE f.reason = 'sampled_out'), 0) AS sampled_out,
    COALESCE(sum(f.answers) FILTER (WHERE f.reason = 'disabled'), 0) AS disabled,
    COALESCE(sum(f.answers) FILTER (WHERE f.reason = 'not_search_qa'), 0) AS not_search_qa,
    COALESCE(sum(f.answers) FILTER (WHERE f.reason = 'cancelled'), 0) AS cancelled,
    COALESCE(sum(f.answers) FILTER (WHERE f.reason = 'filtered_feature'), 0) AS filtered_feature,
    COALESCE(sum(f.answers) FILTER (WHERE f.reason = 'filtered_language'), 0) AS filtered_language,
    COALESCE(sum(f.answers) FILTER (WHERE f.reason = 'filtered_length'), 0) AS filtered_length,
    COALESCE(sum(f.answers) FILTER (WHERE f.reason = 'filtered_notebook'), 0) AS filtered_notebook
FROM {verdicts} f
WHERE f.is_current
GROUP BY 1
ORDER BY {by_time}
