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
SELECT v.answer_model,
    round((avg(v.correctness) FILTER (WHERE NOT v.degraded))::numeric, 4)::float8 AS correctness,
    round((avg(v.utility) FILTER (WHERE NOT v.degraded))::numeric, 4)::float8 AS utility,
    {coverage}
FROM analytics.verdicts v
WHERE v.is_current
    AND {filters_of_answers}
GROUP BY 1
ORDER BY answers DESC, 1
