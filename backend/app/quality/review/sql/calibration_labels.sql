-- What drawn answers and their labels say of each judge, all of it as of one moment, since draws and
-- verdicts go on meanwhile.
--
-- strata: of every draw. chance: with which it picked an answer that no earlier draw had; labelled:
-- the share of those picked whose label counts.
-- cells: of each judge, answers in the same strata, these in the order of the draws; highs: how many
-- of them it calls high by its own rule.
-- candidates: the highs of each judge in twenty parts by their correctness: where each begins, and
-- how many have at least that.
-- labels: those that count. answer_right: by people, all of it.
--
-- trials: NULL, or verdicts of a judge that are stored nowhere, in the place of all others.
WITH framed AS (
    SELECT f.answer_id, array_agg(f.stratum_id ORDER BY f.draw_id) AS strata
    FROM analytics.sample_frames f WHERE f.workspace_id = :workspace_id
    GROUP BY f.answer_id
), drawn AS (
    SELECT * FROM analytics.sampled_labels WHERE workspace_id = :workspace_id
), scored AS (
    SELECT e.judge_model, e.prompt_version, e.answer_id, e.correctness,
        e.confidence = 'high' OR (e.confidence = 'medium' AND EXISTS (
            SELECT FROM qa_evaluation_issues i
            WHERE i.evaluation_id = e.id AND i.kind = :lowered
              AND i.detail = ANY(CAST(:held_back AS text[]))))
            AS high,
        f.strata
    FROM framed f JOIN qa_evaluations e ON e.answer_id = f.answer_id
    WHERE CAST(:trials AS jsonb) IS NULL
      AND e.workspace_id = :workspace_id AND e.is_current AND e.status = 'succeeded'
      AND NOT e.degraded AND e.correctness IS NOT NULL
      AND (CAST(:judge_model AS text) IS NULL OR e.judge_model = :judge_model)
      -- A judge of a cascade judges other answers than one alone, or than with other thresholds.
      AND e.cascade IS NOT DISTINCT FROM CAST(:cascade AS text[])
      AND (e.cascade IS NULL OR e.started_at > (
          SELECT CAST(p.cascade_calibration->>'calibrated_at' AS timestamptz)
          FROM evaluation_policies p WHERE p.workspace_id = :workspace_id))
    UNION ALL
    SELECT t.judge_model, t.prompt_version, t.answer_id, t.correctness, t.high, f.strata
    FROM framed f JOIN jsonb_to_recordset(CAST(:trials AS jsonb)) AS t(
        judge_model text, prompt_version text, answer_id uuid, correctness float8, high boolean)
        ON t.answer_id = f.answer_id
), strata AS (
    SELECT s.id, s.draw_id, s.name, COALESCE(max(d.inclusion_probability), 0) AS chance,
        COALESCE(avg(d.correctness_counts::int), 0)::float8 AS labelled
    FROM review_strata s LEFT JOIN drawn d ON d.stratum_id = s.id
    WHERE s.workspace_id = :workspace_id
    GROUP BY s.id
), cells AS (
    SELECT judge_model, prompt_version, strata, count(*) FILTER (WHERE high) AS highs
    FROM scored GROUP BY judge_model, prompt_version, strata
), ranked AS (
    SELECT judge_model, prompt_version, correctness,
        count(*) OVER (PARTITION BY judge_model, prompt_version ORDER BY correctness DESC) AS highs,
        ntile(20) OVER (PARTITION BY judge_model, prompt_version ORDER BY correctness DESC) AS part
    FROM scored WHERE high
), candidates AS (
    SELECT judge_model, prompt_version, min(correctness) AS correctness, max(highs) AS highs
    FROM ranked GROUP BY judge_model, prompt_version, part
), labels AS (
    SELECT s.judge_model, s.prompt_version, s.answer_id, s.correctness, s.high, s.strata, d.draw_id,
        d.human_correctness = 1 AS answer_right
    FROM scored s JOIN drawn d ON d.answer_id = s.answer_id AND d.correctness_counts
)
SELECT (SELECT COALESCE(json_agg(s), '[]') FROM strata s) AS strata,
    (SELECT COALESCE(json_agg(c ORDER BY c.judge_model, c.prompt_version, c.strata), '[]')
     FROM cells c) AS cells,
    (SELECT COALESCE(json_agg(c), '[]') FROM candidates c) AS candidates,
    (SELECT COALESCE(json_agg(l), '[]') FROM labels l) AS labels
