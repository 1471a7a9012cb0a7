/*
title_ko: 날짜별 주장의 근거
title_en: "Support of claims by day"
description: >-
  How many statements of each day's answers the notes bear out.
columns:
  - [day, date, day, "Day of the answer, in the time zone asked for."]
  - [answers, integer, answers, "Judged answers with at least one claim."]
  - [claims, integer, claims, "Their claims."]
  - [supported, integer, claims, "Of them borne out."]
  - [partly, integer, claims, "Of them borne out in part."]
  - [unsupported, integer, claims, "Of them not borne out."]
  - [supported_share, number, 0..1, "supported by claims."]
*/
SELECT {day} AS day,
    count(*) FILTER (WHERE c.position = 1) AS answers, count(*) AS claims,
    count(*) FILTER (WHERE c.verdict = 'supported') AS supported,
    count(*) FILTER (WHERE c.verdict = 'partly') AS partly,
    count(*) FILTER (WHERE c.verdict = 'unsupported') AS unsupported,
    round(count(*) FILTER (WHERE c.verdict = 'supported')::numeric / count(*), 4)::float8
        AS supported_share
FROM analytics.verdicts v
JOIN analytics.claims c ON c.evaluation_id = v.evaluation_id
WHERE v.is_current
    AND {filters}
GROUP BY 1
ORDER BY 1
