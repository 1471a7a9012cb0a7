/*
title_ko: 답변 개선 효과
title_en: "Does improving answers help?"
description: >-
  Attempts to improve answers by how they began, with the mean lift and its 95 % interval. A
  worse answer never replaces a better one, so no lift is below 0.
columns:
  - [automatic, boolean, null, "Whether a poor verdict began it; else somebody asked."]
  - [refinements, integer, refinements, "Attempts."]
  - [finished, integer, refinements, "Of them ended."]
  - [measured, integer, refinements, "Of them with a known lift, which the mean is of."]
  - [improved, integer, refinements, "Of them with a better answer."]
  - [lift, number, 0..1, "Mean lift."]
  - [lift_low, number, 0..1, "Lower end of the 95 % interval: mean - 1.96 standard errors."]
  - [lift_high, number, 0..1, "Upper end."]
*/
SELECT automatic, refinements, finished, measured, improved,
    round(mean::numeric, 4)::float8 AS lift,
    CASE WHEN error IS NOT NULL THEN round(greatest(0, mean - error)::numeric, 4)::float8 END
        AS lift_low,
    round((mean + error)::numeric, 4)::float8 AS lift_high
FROM (
    SELECT r.automatic, count(*) AS refinements, count(r.finished_at) AS finished,
        count(r.lift) AS measured, count(*) FILTER (WHERE r.best_iteration > 0) AS improved,
        avg(r.lift) AS mean, 1.96 * stddev_samp(r.lift) / sqrt(count(r.lift)) AS error
    FROM analytics.verdicts v
    JOIN analytics.refinements r ON r.evaluation_id = v.evaluation_id
    WHERE {filters}
    GROUP BY 1
) refined
ORDER BY automatic
