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
SELECT {bucket_day} AS day, sum(f.with_claims) AS answers,
    sum(f.claims_supported + f.claims_partly + f.claims_unsupported) AS claims,
    sum(f.claims_supported) AS supported, sum(f.claims_partly) AS partly,
    sum(f.claims_unsupported) AS unsupported,
    round(sum(f.claims_supported)::numeric
        / sum(f.claims_supported + f.claims_partly + f.claims_unsupported), 4)::float8
        AS supported_share
FROM {verdicts} f
WHERE f.is_current AND f.with_claims > 0
GROUP BY 1
ORDER BY 1
