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
WITH scored AS NOT MATERIALIZED (
    SELECT v.answer_id, v.judge_key, v.correctness, v.requested_at, v.is_current
    FROM analytics.verdicts v
    WHERE v.correctness IS NOT NULL AND NOT v.degraded
    AND {filters}
), judges AS (
    SELECT judge_key, min(requested_at) AS first_used, count(*) AS scored
    FROM scored
    GROUP BY 1
), again AS (
    -- One verdict of an answer is current, so each pair has one that is not.
    SELECT s.*
    FROM scored s
    WHERE s.answer_id IN (SELECT answer_id FROM scored WHERE NOT is_current)
), pairs AS (
    SELECT a.judge_key AS earlier, b.judge_key AS later, x.scored AS earlier_scored,
        y.scored AS later_scored, a.correctness AS before, b.correctness AS after
    FROM again a
    JOIN again b ON b.answer_id = a.answer_id AND b.judge_key <> a.judge_key
    JOIN judges x ON x.judge_key = a.judge_key
    JOIN judges y ON y.judge_key = b.judge_key
    WHERE (x.first_used, x.judge_key) < (y.first_used, y.judge_key)
), compared AS (
    SELECT earlier, later, earlier_scored, later_scored, count(*) AS pairs,
        avg(before) AS before, avg(after) AS after, avg(after - before) AS difference,
        1.96 * stddev_samp(after - before) / sqrt(count(*)) AS error
    FROM pairs
    GROUP BY 1, 2, 3, 4
)
SELECT earlier, later, pairs,
    round(before::numeric, 4)::float8 AS earlier_correctness,
    round(after::numeric, 4)::float8 AS later_correctness,
    round(difference::numeric, 4)::float8 AS difference,
    round((difference - error)::numeric, 4)::float8 AS difference_low,
    round((difference + error)::numeric, 4)::float8 AS difference_high,
    earlier_scored, later_scored
FROM compared
ORDER BY pairs DESC, earlier, later
