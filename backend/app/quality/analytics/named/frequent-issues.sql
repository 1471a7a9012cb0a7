/*
title_ko: 자주 나오는 문제
title_en: "What is wrong most often"
description: >-
  Kinds of issues, how many answers have one, and an example.
columns:
  - [kind, text, null, "grounding: a claim without support in the notes; other kinds are about the verdict."]
  - [issues, integer, issues, "How many."]
  - [answers, integer, answers, "Answers with at least one."]
  - [judged, integer, answers, "Answers with a verdict."]
  - [share, number, 0..1, "answers by judged."]
  - [example, text, null, "The detail of one of them."]
*/
SELECT i.kind, i.issues, i.answers, j.judged, round(i.answers::numeric / j.judged, 4)::float8
        AS share, i.example
FROM (
    SELECT f.kind, sum(f.issues) AS issues, sum(f.answers) AS answers, max(f.example) AS example
    FROM {issues} f
    GROUP BY 1
) i
CROSS JOIN (SELECT sum(f.judged) AS judged FROM {verdicts} f WHERE f.is_current) j
ORDER BY i.answers DESC, i.kind
