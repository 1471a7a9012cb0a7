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
SELECT v.search_method,
    round((avg(v.correctness) FILTER (WHERE NOT v.degraded))::numeric, 4)::float8 AS correctness,
    round((avg(v.utility) FILTER (WHERE NOT v.degraded))::numeric, 4)::float8 AS utility,
    {coverage}
FROM analytics.verdicts v
WHERE v.is_current
    AND {filters_of_answers}
GROUP BY 1
ORDER BY answers DESC, 1
