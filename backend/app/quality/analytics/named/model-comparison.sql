/*
title_ko: 평가 모델과 프롬프트 비교
title_en: "Judges and prompts side by side"
description: >-
  Mean correctness of each judge and prompt version with its 95 % interval, every judgement
  counted. paired-comparison compares on the same answers.
columns:
  - [judge_key, text, null, "Evaluators, judge model and prompt version."]
  - [judge_model, text, null, "Judge that was asked."]
  - [correctness, number, 0..1, "Mean correctness."]
  - [correctness_low, number, 0..1, "Lower end of the 95 % interval: mean - 1.96 standard errors."]
  - [correctness_high, number, 0..1, "Upper end of the 95 % interval."]
  - [utility, number, 0..1, "Mean utility."]
  - coverage
*/
SELECT judge_key, judge_model,
    round(mean::numeric, 4)::float8 AS correctness,
    CASE WHEN error IS NOT NULL
        THEN round(greatest(0, mean - error)::numeric, 4)::float8 END AS correctness_low,
    CASE WHEN error IS NOT NULL
        THEN round(least(1, mean + error)::numeric, 4)::float8 END AS correctness_high,
    utility, answers, judged, scored, decided, rightly_refused, degraded, skipped, failed, pending
FROM (
    SELECT f.judge_key, f.judge_model,
        sum(f.correctness) / 1e9 / NULLIF(sum(f.scored), 0) AS mean,
        {error_of_correctness} AS error,
        {mean_utility} AS utility,
        {coverage}
    FROM {verdicts} f
    WHERE NOT f.is_skipped
    GROUP BY 1, 2
) judges
ORDER BY answers DESC, judge_key
