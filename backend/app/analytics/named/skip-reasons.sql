/*
title_ko: 평가하지 않은 이유
title_en: "Why answers are not judged"
description: >-
  Skipped answers by reason.
columns:
  - [reason, text, null, "Why."]
  - [skipped, integer, answers, "Answers skipped for it."]
  - [share, number, 0..1, "skipped by answers."]
  - [answers, integer, answers, "All answers."]
*/
WITH answers AS NOT MATERIALIZED (
    SELECT v.status, v.reason
    FROM analytics.verdicts v
    WHERE v.is_current
    AND {filters}
), total AS (SELECT count(*) AS answers FROM answers)
SELECT a.reason, count(*) AS skipped, round(count(*)::numeric / t.answers, 4)::float8 AS share,
    t.answers
FROM answers a, total t
WHERE a.status = 'skipped'
GROUP BY a.reason, t.answers
ORDER BY skipped DESC, a.reason
