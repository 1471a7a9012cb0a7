-- Which verdicts a person should look at first, and why: the CTE `ranked`, with the id, score and
-- reasons of each.
--
-- The score of a verdict is the sum of the weights of the reasons that hold for it:
--
--     people_disagree        other people's labels against the judge's, in grades apart (1 or 2)
--     judges_disagree        2 x the distance between the correctness that judges gave the answer,
--                            from .2 on
--     contradicts_issues     1 where the verdict is flagged as contradicting its own issues
--     phases_disagree        |correctness - share of supported claims|, from .3 on
--     near_threshold         1 at correctness .5 or .8, falling to 0 at .1 from both
--     degraded               .5 where rules stood in for the judge
--
-- Grades are wrong 0, partly 1, right 2; a judge's is right from .8, partly from .5. What the
-- author has labelled already is left out, whichever of the answer's evaluations it was.
--
-- author: whose labels are left out. high, medium: where a judge's grades begin. {more}: what else
-- must hold for c, the candidate.
WITH candidate AS (
    SELECT e.id, e.answer_id, e.correctness, e.degraded
    FROM qa_evaluations e
    WHERE e.workspace_id = :workspace_id AND e.status = 'succeeded' AND e.is_current
      AND e.correctness IS NOT NULL
    ORDER BY e.created_at DESC, e.id DESC LIMIT {window}
), sign AS (
    SELECT c.*,
        CASE WHEN c.correctness >= :high THEN 2 WHEN c.correctness >= :medium THEN 1 ELSE 0 END
            AS grade,
        (SELECT avg(CASE f.label WHEN 'right' THEN 2 WHEN 'partly' THEN 1 ELSE 0 END)
         FROM qa_feedback f
         WHERE f.answer_id = c.answer_id AND f.claim_position IS NULL) AS human,
        (SELECT max(o.correctness) - min(o.correctness) FROM qa_evaluations o
         WHERE o.answer_id = c.answer_id) AS spread,
        (SELECT q.value FROM qa_scores q
         WHERE q.evaluation_id = c.id AND q.name = 'groundedness') AS supported,
        EXISTS (SELECT FROM qa_evaluation_issues i
                WHERE i.evaluation_id = c.id AND i.kind = 'score_contradicts_issues') AS contradicts
    FROM candidate c
    WHERE NOT EXISTS (
        SELECT FROM qa_feedback f
        WHERE f.answer_id = c.answer_id AND f.author = :author AND f.claim_position IS NULL)
    {more}
), reason AS (
    SELECT s.id, r.reason, round(r.weight::numeric, 4) AS weight
    FROM sign s CROSS JOIN LATERAL (VALUES
        ('people_disagree', CASE WHEN abs(s.human - s.grade) >= 1 THEN abs(s.human - s.grade) END),
        ('judges_disagree', CASE WHEN s.spread >= 0.2 THEN 2 * s.spread END),
        ('contradicts_issues', CASE WHEN s.contradicts THEN 1 END),
        ('phases_disagree', CASE WHEN abs(s.correctness - s.supported) >= 0.3
            THEN abs(s.correctness - s.supported) END),
        ('near_threshold',
         1 - least(abs(s.correctness - :medium), abs(s.correctness - :high)) / 0.1),
        ('degraded', CASE WHEN s.degraded THEN 0.5 END)
    ) AS r(reason, weight)
    WHERE round(r.weight::numeric, 4) > 0
), ranked AS (
    SELECT id, sum(weight) AS score,
        json_agg(json_build_object('reason', reason, 'weight', weight)
                 ORDER BY weight DESC, reason) AS reasons
    FROM reason GROUP BY id
)
