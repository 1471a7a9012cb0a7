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
SELECT r.reason, r.skipped, round(r.skipped::numeric / r.answers, 4)::float8 AS share, r.answers
FROM (
    SELECT f.reason, sum(f.skipped) AS skipped, (sum(sum(f.answers)) OVER ())::bigint AS answers
    FROM {verdicts} f
    WHERE f.is_current
    GROUP BY 1
) r
WHERE r.skipped > 0
ORDER BY r.skipped DESC, r.reason
