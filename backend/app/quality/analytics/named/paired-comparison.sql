/*
title_ko: 같은 답변에 대한 두 평가의 비교
title_en: "Two judges on the same answers"
description: >-
  For answers that two judges or prompt versions have judged: by how much the later one scores
  higher, with the 95 % interval of the mean difference.
columns:
  - [earlier, text, null, "Judge key that was used first."]
  - [later, text, null, "Judge key that came later."]
  - [pairs, integer, answers, "Answers that both gave a score."]
  - [earlier_correctness, number, 0..1, "Mean correctness by the earlier."]
  - [later_correctness, number, 0..1, "Mean correctness by the later, on the same answers."]
  - [difference, number, -1..1, "later - earlier."]
  - [difference_low, number, -1..1, "Lower end of the 95 % interval: mean - 1.96 standard errors."]
  - [difference_high, number, -1..1, "Upper end; an interval without 0 is a difference."]
  - [earlier_scored, integer, answers, "All answers that the earlier gave a score."]
  - [later_scored, integer, answers, "All answers that the later gave a score."]
*/
WITH judges AS (
    SELECT f.judge_key, min(f.first_requested_at) AS first_used, sum(f.scored) AS scored
    FROM {verdicts} f
    WHERE f.scored > 0
    GROUP BY 1
), pairs AS (
    SELECT f.first_key, f.second_key, sum(f.pairs) AS pairs,
        sum(f.first_correctness) / 1e9 / sum(f.pairs) AS first_mean,
        sum(f.second_correctness) / 1e9 / sum(f.pairs) AS second_mean,
        {error_of_difference} AS error
    FROM {pairs} f
    GROUP BY 1, 2
), compared AS (
    SELECT a.judge_key AS earlier, b.judge_key AS later, a.scored AS earlier_scored,
        b.scored AS later_scored, p.pairs, p.error,
        CASE a.judge_key WHEN p.first_key THEN p.first_mean ELSE p.second_mean END AS before,
        CASE b.judge_key WHEN p.first_key THEN p.first_mean ELSE p.second_mean END AS after
    FROM pairs p
    JOIN judges a ON a.judge_key IN (p.first_key, p.second_key)
    JOIN judges b ON b.judge_key IN (p.first_key, p.second_key)
    WHERE (a.first_used, a.judge_key) < (b.first_used, b.judge_key)
)
SELECT earlier, later, pairs,
    round(before, 4)::float8 AS earlier_correctness,
    round(after, 4)::float8 AS later_correctness,
    round(after - before, 4)::float8 AS difference,
    round(after - before - error, 4)::float8 AS difference_low,
    round(after - before + error, 4)::float8 AS difference_high,
    earlier_scored, later_scored
FROM compared
ORDER BY pairs DESC, earlier, later
