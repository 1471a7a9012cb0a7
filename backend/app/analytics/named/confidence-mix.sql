/*
title_ko: 날짜별 신뢰도 분포
title_en: "Confidence by day"
description: >-
  How many answers of each day have high, medium and low confidence, and how many of these verdicts
  are of rules or of a local model, whose high confidence is worth less than that of a model that
  reads.
columns:
  - [day, date, day, "Day of the answer, in the time zone asked for."]
  - [high, integer, answers, "Correctness from 0.8 and utility from 0.7."]
  - [medium, integer, answers, "Correctness from 0.5."]
  - [low, integer, answers, "Correctness below 0.5."]
  - [rules_high, integer, answers, "Of high: judged by rules, which found no mismatch."]
  - [rules_medium, integer, answers, "Of medium: judged by rules."]
  - [rules_low, integer, answers, "Of low: judged by rules."]
  - [local_high, integer, answers, "Of high: judged by a local model."]
  - [local_medium, integer, answers, "Of medium: judged by a local model."]
  - [local_low, integer, answers, "Of low: judged by a local model."]
  - coverage
*/
SELECT {day} AS day,
    count(*) FILTER (WHERE v.confidence = 'high' AND NOT v.degraded) AS high,
    count(*) FILTER (WHERE v.confidence = 'medium' AND NOT v.degraded) AS medium,
    count(*) FILTER (WHERE v.confidence = 'low' AND NOT v.degraded) AS low,
    count(*) FILTER (WHERE v.confidence = 'high' AND k.by_rules AND NOT v.degraded) AS rules_high,
    count(*) FILTER (WHERE v.confidence = 'medium' AND k.by_rules AND NOT v.degraded)
        AS rules_medium,
    count(*) FILTER (WHERE v.confidence = 'low' AND k.by_rules AND NOT v.degraded) AS rules_low,
    count(*) FILTER (WHERE v.confidence = 'high' AND k.by_local) AS local_high,
    count(*) FILTER (WHERE v.confidence = 'medium' AND k.by_local) AS local_medium,
    count(*) FILTER (WHERE v.confidence = 'low' AND k.by_local) AS local_low,
    {coverage}
FROM analytics.verdicts v
CROSS JOIN LATERAL (
    -- But for degraded verdicts, who was asked is who judged; the index holds the former.
    SELECT v.judge_model = 'offline:rules' AS by_rules,
        starts_with(v.judge_model, 'local:') AND NOT v.degraded AS by_local
) k
WHERE v.is_current
    AND {filters}
GROUP BY 1
ORDER BY 1
