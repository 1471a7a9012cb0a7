/*
title_ko: 날짜별 신뢰도 분포
title_en: "Confidence by day"
description: >-
  How many answers of each day have high, medium and low confidence, and how many of these verdicts
  are by rules or a local model, whose high confidence is less reliable.
columns:
  - [day, date, day, "Day of the answer, in the time zone asked for."]
  - [high, integer, answers, "Correctness from 0.8 and utility from 0.7."]
  - [medium, integer, answers, "Correctness from 0.5."]
  - [low, integer, answers, "Correctness below 0.5."]
  - [rules_high, integer, answers, "Of high: judged by rules, matches the notes."]
  - [rules_medium, integer, answers, "Of medium: judged by rules, which mostly could not tell."]
  - [rules_low, integer, answers, "Of low: judged by rules, differs from the notes."]
  - [local_high, integer, answers, "Of high: judged by a local model."]
  - [local_medium, integer, answers, "Of medium: judged by a local model."]
  - [local_low, integer, answers, "Of low: judged by a local model."]
  - [falsely_refused, integer, answers, "They say that the notes do not say, which do."]
  - coverage
*/
SELECT {bucket_day} AS day,
    COALESCE(sum(f.high), 0) AS high,
    COALESCE(sum(f.medium), 0) AS medium,
    COALESCE(sum(f.low), 0) AS low,
    COALESCE(sum(f.high) FILTER (WHERE k.by_rules), 0) AS rules_high,
    COALESCE(sum(f.medium) FILTER (WHERE k.by_rules), 0) AS rules_medium,
    COALESCE(sum(f.low) FILTER (WHERE k.by_rules), 0) AS rules_low,
    COALESCE(sum(f.high) FILTER (WHERE k.by_local), 0) AS local_high,
    COALESCE(sum(f.medium) FILTER (WHERE k.by_local), 0) AS local_medium,
    COALESCE(sum(f.low) FILTER (WHERE k.by_local), 0) AS local_low,
    COALESCE(sum(f.falsely_refused), 0) AS falsely_refused,
    {coverage}
FROM {verdicts} f
CROSS JOIN LATERAL (
    -- But for degraded verdicts, who was asked is who judged; the index holds the former.
    SELECT f.judge_model = 'offline:rules' AS by_rules,
        starts_with(f.judge_model, 'local:') AS by_local
) k
WHERE f.is_current
GROUP BY 1
ORDER BY {by_time}
