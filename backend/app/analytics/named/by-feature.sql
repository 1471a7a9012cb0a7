/*
title_ko: 기능과 언어별 품질
title_en: "Quality by feature and language"
description: >-
  Average scores of each feature of the note app and each language.
columns:
  - [feature, text, null, "Feature of the note app."]
  - [lang, text, null, "Language of the question."]
  - [correctness, number, 0..1, "Mean correctness."]
  - [utility, number, 0..1, "Mean utility."]
  - coverage
*/
SELECT v.feature, v.lang,
    round((avg(v.correctness) FILTER (WHERE NOT v.degraded))::numeric, 4)::float8 AS correctness,
    round((avg(v.utility) FILTER (WHERE NOT v.degraded))::numeric, 4)::float8 AS utility,
    {coverage}
FROM analytics.verdicts v
WHERE v.is_current
    AND {filters_of_answers}
GROUP BY 1, 2
ORDER BY answers DESC, 1, 2
