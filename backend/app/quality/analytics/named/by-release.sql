/*
title_ko: 릴리스별 품질
title_en: "Quality by release"
description: >-
  Average scores of each release of the application, the newest first, beside the one that was
  first seen before it. GET /analytics/releases also corrects them by labels.
columns:
  - [app_version, text, null, "Release that answered."]
  - [first_seen_at, timestamp, null, "Its first answer in the period."]
  - [last_seen_at, timestamp, null, "Its last answer in the period."]
  - [answers, integer, answers, "All answers."]
  - [scored, integer, answers, "Verdicts the averages are of: none degraded."]
  - [share_high, number, 0..1, "Share of the scored with high confidence."]
  - [correctness, number, 0..1, "Mean correctness."]
  - [utility, number, 0..1, "Mean utility."]
  - [previous_version, text, null, "The release first seen before it in the period."]
  - [share_high_change, number, 0..1, "By how much share_high is above that of the release before."]
  - [correctness_change, number, 0..1, "By how much the mean correctness is above."]
  - [correctness_change_error, number, 0..1, "Half of its 95 % interval: 1.96 standard errors."]
*/
SELECT r.app_version, r.first_seen_at, r.last_seen_at, r.answers, r.scored, r.share_high,
    r.correctness, r.utility, lag(r.app_version) OVER before AS previous_version,
    r.share_high - lag(r.share_high) OVER before AS share_high_change,
    r.correctness - lag(r.correctness) OVER before AS correctness_change,
    1.96 * sqrt(r.variance + lag(r.variance) OVER before) AS correctness_change_error
FROM (
    SELECT v.app_version, min(v.answered_at) AS first_seen_at, max(v.answered_at) AS last_seen_at,
        count(*) AS answers, count(s.correctness) AS scored, avg(s.high) AS share_high,
        avg(s.correctness) AS correctness, avg(s.utility) AS utility,
        var_samp(s.correctness) / NULLIF(count(s.correctness), 0) AS variance
    FROM analytics.verdicts v
    LEFT JOIN LATERAL (
        SELECT v.correctness, v.utility, (v.confidence = 'high')::int::float8 AS high
        WHERE v.correctness IS NOT NULL AND NOT v.degraded
    ) s ON true
    WHERE v.app_version IS NOT NULL AND v.is_current AND {filters_of_answers}
    GROUP BY 1
) r
WINDOW before AS (ORDER BY r.first_seen_at, r.app_version)
ORDER BY r.first_seen_at DESC, r.app_version DESC
