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
WITH judged AS NOT MATERIALIZED (
    SELECT v.evaluation_id
    FROM analytics.verdicts v
    WHERE v.is_current AND v.status = 'succeeded'
    AND {filters}
), of_answer AS (
    SELECT i.kind, i.evaluation_id, count(*) AS issues, max(NULLIF(i.detail, '')) AS example
    FROM judged j
    JOIN analytics.issues i ON i.evaluation_id = j.evaluation_id
    GROUP BY 1, 2
), total AS (SELECT count(*) AS judged FROM judged)
SELECT o.kind, sum(o.issues)::bigint AS issues, count(*) AS answers, t.judged,
    round(count(*)::numeric / t.judged, 4)::float8 AS share, max(o.example) AS example
FROM of_answer o, total t
GROUP BY o.kind, t.judged
ORDER BY answers DESC, o.kind
