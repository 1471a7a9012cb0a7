/*
title_ko: 순차 평가의 모든 단계
title_en: "Every step of every cascade"
description: >-
  What each judge of a cascade said of each answer, in the order in which they were asked.
listing: true
columns:
  - [evaluation_id, uuid, null, "The verdict; GET /qa-evaluations/{id} shows it."]
  - [answered_at, timestamp, null, "When the answer was finished."]
  - [position, integer, null, "Which of the judges that were asked it was, from 1."]
  - [judge_model, text, null, "Judge of the step."]
  - [correctness, number, 0..1, "Its correctness; null where it had no verdict."]
  - [confidence, text, null, "The confidence of its verdict."]
  - [sure, boolean, null, "Whether its score was beyond its thresholds; null for the last judge."]
  - [checked, boolean, null, "Whether it was sure, and the last judge was asked all the same."]
  - [decided, boolean, null, "Whether its verdict is that of the answer."]
  - [disagrees, boolean, null, "Whether one of this and the answer's verdict says high and the other does not."]
  - [cost_usd, number, USD, "Cost of all its calls for the answer; null where none has a known price."]
  - [error, text, null, "Why it had no verdict."]
*/
SELECT s.evaluation_id, s.answered_at, s.position::int AS position, s.judge_model, s.correctness,
    s.confidence, s.sure, s.checked, s.decided, s.disagrees, s.cost_usd, s.error
FROM analytics.verdicts v
JOIN analytics.cascade_steps s ON s.evaluation_id = v.evaluation_id
WHERE {filters}
ORDER BY s.answered_at DESC, s.evaluation_id, s.position
