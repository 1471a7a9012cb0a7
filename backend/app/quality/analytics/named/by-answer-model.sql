/*
title_ko: 답변 모델별 품질
title_en: "Quality by answering model"
description: >-
  Average scores by the model that answered.
columns:
  - [answer_model, text, null, "Model that answered; null where nobody said."]
  - [correctness, number, 0..1, "Mean correctness."]
  - [utility, number, 0..1, "Mean utility."]
  - coverage
*/
SELECT f.answer_model, {mean_correctness} AS correctness, {mean_utility} AS utility,
    {coverage}
FROM {verdicts_by_answer} f
WHERE f.is_current
GROUP BY 1
ORDER BY answers DESC, 1
