/*
title_ko: 사람과 평가 모델의 일치
title_en: "Do judges agree with people?"
description: >-
  Cohen's kappa with linear weights over wrong, partly, right, of each judge and prompt version
  against people's labels of whole answers.
columns:
  - [made_by, text, null, "Judge that made the verdicts."]
  - [prompt_version, text, null, "Version of its prompts, or of the rules."]
  - [pairs, integer, labels, "Labels of people on answers that it judged."]
  - [same, integer, labels, "Of them the same as the judge's."]
  - [neighbours, integer, labels, "Of them one step apart."]
  - [opposite, integer, labels, "Of them right against wrong."]
  - [agreement, number, 0..1, "same by pairs."]
  - [kappa, number, -1..1, "1: agreement, 0: as by chance; null where all labels of both are one and the same."]
  - [verdicts, integer, verdicts, "Verdicts of the judge, labelled or not."]
*/
WITH judged AS NOT MATERIALIZED (
    SELECT v.evaluation_id, v.made_by, v.prompt_version
    FROM analytics.verdicts v
    WHERE v.correctness IS NOT NULL AND NOT v.degraded
    AND {filters}
), verdicts AS (
    SELECT f.made_by, f.prompt_version, sum(f.scored) AS verdicts
    FROM {verdicts} f
    WHERE f.scored > 0
    GROUP BY 1, 2
), counts AS (
    SELECT j.made_by, j.prompt_version, count(*) AS pairs, sum(p.distance) AS distance,
        count(*) FILTER (WHERE p.distance = 0) AS same,
        count(*) FILTER (WHERE p.distance = 1) AS neighbours,
        count(*) FILTER (WHERE p.distance = 2) AS opposite,
        count(*) FILTER (WHERE p.judge_label = 'wrong') AS jw,
        count(*) FILTER (WHERE p.judge_label = 'partly') AS jp,
        count(*) FILTER (WHERE p.judge_label = 'right') AS jr,
        count(*) FILTER (WHERE p.human_label = 'wrong') AS hw,
        count(*) FILTER (WHERE p.human_label = 'partly') AS hp,
        count(*) FILTER (WHERE p.human_label = 'right') AS hr
    FROM judged j
    JOIN analytics.label_pairs p ON p.evaluation_id = j.evaluation_id
    GROUP BY 1, 2
)
SELECT c.made_by, c.prompt_version, c.pairs, c.same, c.neighbours, c.opposite,
    round(c.same::numeric / c.pairs, 4)::float8 AS agreement,
    -- 1 - observed distance / distance of independent labels with the same frequencies
    round(1 - c.distance::numeric * c.pairs / NULLIF(
        jw * (hp + 2 * hr) + jp * (hw + hr) + jr * (hp + 2 * hw), 0), 4)::float8 AS kappa,
    v.verdicts
FROM counts c
JOIN verdicts v ON v.made_by = c.made_by AND v.prompt_version IS NOT DISTINCT FROM c.prompt_version
ORDER BY c.pairs DESC, c.made_by, c.prompt_version
