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
SELECT day, count(*) AS answers, sum(supported + partly + unsupported) AS claims,
    sum(supported) AS supported, sum(partly) AS partly, sum(unsupported) AS unsupported,
    round(sum(supported)::numeric / sum(supported + partly + unsupported), 4)::float8
        AS supported_share
FROM (
    SELECT {day} AS day,
        v.claims_supported AS supported, v.claims_partly AS partly,
        v.claims_unsupported AS unsupported
    FROM analytics.verdicts v
    WHERE v.is_current
    AND {filters}
) counted
WHERE supported + partly + unsupported > 0
GROUP BY 1
ORDER BY 1
