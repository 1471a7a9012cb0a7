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
SELECT f.feature, f.lang, {mean_correctness} AS correctness, {mean_utility} AS utility,
    {coverage}
FROM {verdicts_by_answer} f
WHERE f.is_current
GROUP BY 1, 2
ORDER BY answers DESC, 1, 2
