/*
title_ko: 사람과 평가가 어긋난 답변
title_en: "Where judges contradict people"
description: >-
  Answers that a person labelled otherwise than the judge, right against wrong first.
listing: true
columns:
  - [evaluation_id, uuid, null, "The verdict; GET /qa-evaluations/{id} shows it."]
  - [answered_at, timestamp, null, "When the answer was finished."]
  - [made_by, text, null, "Judge that made the verdict."]
  - [judge_label, text, null, "wrong, partly or right."]
  - [human_label, text, null, "wrong, partly or right."]
  - [distance, integer, steps, "1 for neighbours, 2 for right against wrong."]
  - [correctness, number, 0..1, "The judge's correctness."]
  - [question, text, null, "What was asked."]
  - [author, text, null, "Who labelled the answer."]
  - [comment, text, null, "What the person wrote."]
*/
SELECT v.evaluation_id, v.answered_at, v.made_by, p.judge_label, p.human_label, p.distance,
    v.correctness, v.question, p.author, p.comment
FROM analytics.verdicts v
JOIN analytics.label_pairs p ON p.evaluation_id = v.evaluation_id AND p.distance > 0
WHERE {filters}
ORDER BY p.distance DESC, v.answered_at DESC, v.evaluation_id, p.author
