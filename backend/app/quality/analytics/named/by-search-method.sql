/*
title_ko: 검색 방법별 품질
title_en: "Quality by search method"
description: >-
  Average scores by how the notes of an answer were found.
columns:
  - [search_method, text, null, "How notes were found; null where none were looked for."]
  - [correctness, number, 0..1, "Mean correctness."]
  - [utility, number, 0..1, "Mean utility."]
  - coverage
*/
SELECT f.search_method, {mean_correctness} AS correctness, {mean_utility} AS utility,
    {coverage}
FROM {verdicts_by_answer} f
WHERE f.is_current
GROUP BY 1
ORDER BY answers DESC, 1
