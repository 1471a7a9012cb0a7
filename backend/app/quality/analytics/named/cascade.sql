/*
title_ko: 날짜별 순차 평가
title_en: "Judges of cascades by day"
description: >-
  What each judge of a cascade decided and cost, and how often the last judge disagrees with it. A
  random part of its sure verdicts is checked by the last judge; the interval is of that part.
columns:
  - [day, date, day, "Day of the answer, in the time zone asked for."]
  - [judge_model, text, null, "Judge of the step."]
  - [asked, integer, answers, "Answers that it was asked about."]
  - [failed, integer, answers, "Of asked, those that it had no verdict on."]
  - [sure, integer, answers, "Of asked, those whose score was beyond its thresholds."]
  - [decided, integer, answers, "Of asked, those whose verdict is its own."]
  - [decided_share, number, 0..1, "decided by the verdicts of all cascades of the day."]
  - [checked, integer, answers, "Of sure, those that the last judge has judged all the same."]
  - [sure_disagreement, number, 0..1, "Share of checked that one of the two calls high and the other does not; null without any."]
  - [sure_disagreement_low, number, 0..1, "Where its 95 % interval (Wilson) begins."]
  - [sure_disagreement_high, number, 0..1, "Where it ends."]
  - [doubtful, integer, answers, "Answers of which it was not sure, and that a later judge has judged."]
  - [doubtful_disagreement, number, 0..1, "The same share of those."]
  - [disagreement, number, 0..1, "The same share of both, the checked standing for all of sure; null where none of them was checked."]
  - [cost_usd, number, USD, "Cost of its calls; null where none has a known price."]
*/
WITH steps AS (
    SELECT {day} AS day, s.judge_model,
        count(*) AS asked,
        count(*) FILTER (WHERE s.error IS NOT NULL) AS failed,
        count(*) FILTER (WHERE s.sure) AS sure,
        count(*) FILTER (WHERE s.decided) AS decided,
        count(*) FILTER (WHERE s.checked AND s.disagrees IS NOT NULL) AS checked,
        count(*) FILTER (WHERE s.checked AND s.disagrees) AS disagreeing,
        count(*) FILTER (WHERE NOT s.sure AND s.disagrees IS NOT NULL) AS doubtful,
        count(*) FILTER (WHERE NOT s.sure AND s.disagrees) AS doubtful_disagreeing,
        round(sum(s.cost_usd)::numeric, 8)::float8 AS cost_usd
    FROM analytics.verdicts v
    JOIN analytics.cascade_steps s ON s.evaluation_id = v.evaluation_id
    WHERE {filters}
    GROUP BY 1, 2
), rates AS (
    SELECT *, disagreeing::float8 / NULLIF(checked, 0) AS rate,
        3.841459 / NULLIF(checked, 0) AS z
    FROM steps
), spreads AS (
    SELECT *, sqrt(z * rate * (1 - rate) + z * z / 4) AS spread FROM rates
)
SELECT day, judge_model, asked, failed, sure, decided,
    round(decided / NULLIF(sum(decided) OVER (PARTITION BY day), 0), 4)::float8
        AS decided_share,
    checked, round(rate::numeric, 4)::float8 AS sure_disagreement,
    round(greatest(0, (rate + z / 2 - spread) / (1 + z))::numeric, 4)::float8
        AS sure_disagreement_low,
    round(least(1, (rate + z / 2 + spread) / (1 + z))::numeric, 4)::float8
        AS sure_disagreement_high,
    doubtful, round(doubtful_disagreeing::numeric / NULLIF(doubtful, 0), 4)::float8
        AS doubtful_disagreement,
    round(((CASE WHEN sure = 0 THEN 0 ELSE sure * rate END + doubtful_disagreeing)
        / NULLIF(sure + doubtful, 0))::numeric, 4)::float8 AS disagreement,
    cost_usd
FROM spreads
ORDER BY {by_time}, asked DESC, 2
