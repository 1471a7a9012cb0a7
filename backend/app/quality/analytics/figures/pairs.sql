-- Two judgements of one answer, the one with the lesser key first. At most one of an answer's
-- verdicts is current, so each pair has one that is not, and they are few. `judge_model` is NULL
-- where two judges were asked.
SELECT v.answered_at AS at,
    CASE WHEN v.judge_model = w.judge_model THEN v.judge_model END AS judge_model,
    least(v.judge_key, w.judge_key) AS first_key, greatest(v.judge_key, w.judge_key) AS second_key,
    1 AS pairs,
    (CASE WHEN v.judge_key < w.judge_key THEN v.correctness ELSE w.correctness END * 1e9)::int8
        AS first_correctness,
    (CASE WHEN v.judge_key < w.judge_key THEN w.correctness ELSE v.correctness END * 1e9)::int8
        AS second_correctness,
    ((v.correctness * 1e9)::int8 - (w.correctness * 1e9)::int8)
        * ((v.correctness * 1e9)::int8 - (w.correctness * 1e9)::int8) AS difference_squares
FROM analytics.verdicts v
JOIN analytics.verdicts w ON w.answer_id = v.answer_id
    AND (w.judge_key > v.judge_key OR w.is_current)
WHERE NOT v.is_current
    AND v.correctness IS NOT NULL AND NOT v.degraded
    AND w.correctness IS NOT NULL AND NOT w.degraded
    AND {filters}
    AND {filters_of_other}
