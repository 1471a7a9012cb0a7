/*
title_ko: 답변 개선 효과
title_en: "Does improving answers help?"
description: >-
  Attempts to improve answers by how they began: the mean lift by the scores of the loop (never
  below 0) and by the verdicts of the judge of the first answer, with 95 % intervals, and the
  precision and recall of the first and the last search.
columns:
  - [automatic, boolean, null, "Whether a poor verdict began it; else somebody asked."]
  - [refinements, integer, refinements, "Attempts."]
  - [finished, integer, refinements, "Of them ended."]
  - [estimated, integer, refinements, "Of them with scores that were estimated, without a model."]
  - [measured, integer, refinements, "Of them with a known lift, which the mean is of."]
  - [improved, integer, refinements, "Of them with a better answer."]
  - [lift, number, 0..1, "Mean lift."]
  - [lift_low, number, 0..1, "Lower end of the 95 % interval: mean - 1.96 standard errors."]
  - [lift_high, number, 0..1, "Upper end."]
  - [judged, integer, refinements, "Attempts whose answer the judge of the first answer judged."]
  - [correctness_lift, number, -1..1, "Mean change of correctness by that judge."]
  - [correctness_lift_low, number, -1..1, "Lower end of its 95 % interval."]
  - [correctness_lift_high, number, -1..1, "Upper end."]
  - [utility_lift, number, -1..1, "Mean change of utility by that judge."]
  - [searched_again, integer, refinements, "Attempts with a second search, which the means after it are of."]
  - [targeted_retrieval, number, 0..1, "Share of the missing information that the searches for it found."]
  - [first_precision, number, 0..1, "Share of relevant notes among those that the first search found."]
  - [last_precision, number, 0..1, "The same of the last search."]
  - [first_recall, number, 0..1, "Share of the relevant notes that the first search found."]
  - [last_recall, number, 0..1, "The same of the last search."]
  - [by_dataset, integer, refinements, "Of them with notes that a dataset calls relevant; else shared words decide."]
*/
SELECT automatic, refinements, finished, estimated, measured, improved,
    round(mean::numeric, 4)::float8 AS lift,
    CASE WHEN error IS NOT NULL THEN round(greatest(0, mean - error)::numeric, 4)::float8 END
        AS lift_low,
    round((mean + error)::numeric, 4)::float8 AS lift_high,
    judged,
    round(correctness::numeric, 4)::float8 AS correctness_lift,
    round((correctness - correctness_error)::numeric, 4)::float8 AS correctness_lift_low,
    round((correctness + correctness_error)::numeric, 4)::float8 AS correctness_lift_high,
    round(utility::numeric, 4)::float8 AS utility_lift,
    searched_again,
    round(targeted::numeric, 4)::float8 AS targeted_retrieval,
    round(first_precision::numeric, 4)::float8 AS first_precision,
    round(last_precision::numeric, 4)::float8 AS last_precision,
    round(first_recall::numeric, 4)::float8 AS first_recall,
    round(last_recall::numeric, 4)::float8 AS last_recall,
    by_dataset
FROM (
    SELECT r.automatic, count(*) AS refinements, count(r.finished_at) AS finished,
        count(*) FILTER (WHERE EXISTS (
            SELECT FROM analytics.refinement_rounds i
            WHERE i.refinement_id = r.refinement_id AND i.heuristic)) AS estimated,
        count(r.lift) AS measured, count(*) FILTER (WHERE r.best_iteration > 0) AS improved,
        avg(r.lift) AS mean, 1.96 * stddev_samp(r.lift) / sqrt(count(r.lift)) AS error,
        count(r.correctness_lift) AS judged, avg(r.correctness_lift) AS correctness,
        1.96 * stddev_samp(r.correctness_lift) / sqrt(count(r.correctness_lift))
            AS correctness_error,
        avg(r.utility_lift) AS utility,
        count(r.last_recall) AS searched_again, avg(r.targeted_retrieval) AS targeted,
        -- In pairs: a mean of other attempts would tell of those and not of the search.
        avg(r.first_precision) FILTER (WHERE r.last_precision IS NOT NULL) AS first_precision,
        avg(r.last_precision) FILTER (WHERE r.first_precision IS NOT NULL) AS last_precision,
        avg(r.first_recall) FILTER (WHERE r.last_recall IS NOT NULL) AS first_recall,
        avg(r.last_recall) FILTER (WHERE r.first_recall IS NOT NULL) AS last_recall,
        count(*) FILTER (WHERE r.relevance = 'ground_truth' AND r.last_recall IS NOT NULL)
            AS by_dataset
    FROM analytics.verdicts v
    JOIN analytics.refinements r ON r.evaluation_id = v.evaluation_id
    WHERE {filters}
    GROUP BY 1
) refined
ORDER BY automatic
