/*
title_ko: 날짜별 주장의 근거
title_en: "Support of claims by day"
description: >-
  How many statements of each day's answers the notes bear out, and in what way the others are
  doubtful, where that is known.
columns:
  - [day, date, day, "Day of the answer, in the time zone asked for."]
  - [answers, integer, answers, "Judged answers with at least one claim."]
  - [claims, integer, claims, "Their claims."]
  - [supported, integer, claims, "Of them borne out."]
  - [partly, integer, claims, "Of them borne out in part."]
  - [unsupported, integer, claims, "Of them not borne out."]
  - [supported_share, number, 0..1, "supported by claims."]
  - [contradicted, integer, claims, "Of the doubtful, a note says otherwise."]
  - [not_in_notes, integer, claims, "Of the doubtful, no note says it."]
  - [misattributed, integer, claims, "Of the doubtful, another note than the cited one says it."]
  - [stitched, integer, claims, "Of the doubtful, they join what no note joins."]
*/
SELECT {bucket_day} AS day, sum(f.with_claims) AS answers,
    sum(f.claims_supported + f.claims_partly + f.claims_unsupported) AS claims,
    sum(f.claims_supported) AS supported, sum(f.claims_partly) AS partly,
    sum(f.claims_unsupported) AS unsupported,
    round(sum(f.claims_supported)::numeric
        / sum(f.claims_supported + f.claims_partly + f.claims_unsupported), 4)::float8
        AS supported_share,
    sum(f.claims_contradicted) AS contradicted, sum(f.claims_not_in_notes) AS not_in_notes,
    sum(f.claims_misattributed) AS misattributed, sum(f.claims_stitched) AS stitched
FROM {verdicts} f
WHERE f.is_current AND f.with_claims > 0
GROUP BY 1
ORDER BY {by_time}
