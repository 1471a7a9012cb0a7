-- Chooses answers that the rules judged in the place of a judge, to be judged by a judge, at most
-- `limit`. `recheck_after` stands on such a verdict until its judges are asked again, and on a
-- second judgement that has failed while they were still away. However many there are, what is read
-- is a few rows for each workspace and judge, and those that are taken.
--
-- judge_model: the server's. rules: the name of the rules, which are no judge. pause, lately:
-- seconds. Returns rows for rejudge.sql.
--
-- They are judged by the first of the workspace's chain that has served somebody since; by the one
-- that has failed last also where it is none of the chain any more. A judge that nobody has asked
-- for `pause` seconds is tried with one answer: with the newest, which is the one that it was tried
-- with before. So is one whose circuit breaker is open, when it is due to be probed.
--
-- Whatever is taken loses its mark, and gets no second judgement where a person has seen to that,
-- or where a second one has failed while its judge served others: then it has itself to blame.
WITH RECURSIVE oldest AS (
    (SELECT workspace_id, judge_model, recheck_after FROM qa_evaluations
     WHERE recheck_after IS NOT NULL
     ORDER BY workspace_id, judge_model, recheck_after LIMIT 1)
    UNION ALL
    SELECT next.* FROM oldest o CROSS JOIN LATERAL (
        SELECT workspace_id, judge_model, recheck_after FROM qa_evaluations e
        WHERE e.recheck_after IS NOT NULL
          AND (e.workspace_id, e.judge_model) > (o.workspace_id, o.judge_model)
        ORDER BY workspace_id, judge_model, recheck_after LIMIT 1
    ) next
), newest AS (
    SELECT o.workspace_id, o.judge_model, o.recheck_after AS first_at, last.id AS last_id,
           last.recheck_after AS last_at
    FROM oldest o CROSS JOIN LATERAL (
        SELECT id, recheck_after FROM qa_evaluations e
        WHERE e.workspace_id = o.workspace_id AND e.judge_model = o.judge_model
          AND e.recheck_after IS NOT NULL
        ORDER BY recheck_after DESC LIMIT 1
    ) last
), chains AS MATERIALIZED (
    SELECT n.*, chain.model, chain.position, (
        SELECT max(s.finished_at) FROM qa_evaluations s
        WHERE s.judge_model = chain.model AND s.status = 'succeeded' AND NOT s.degraded
          AND NOT s.from_cache
    ) AS served_at, j.judge_model IS NOT NULL AS failing
    FROM newest n LEFT JOIN evaluation_policies p USING (workspace_id)
    CROSS JOIN LATERAL unnest(
        COALESCE(p.judge_model, %(judge_model)s) || COALESCE(p.fallback_models, '{}')
        || n.judge_model
    ) WITH ORDINALITY AS chain (model, position)
    LEFT JOIN judge_pauses j ON j.judge_model = chain.model
    WHERE chain.model <> %(rules)s
      AND (j.judge_model IS NULL OR (j.kind = 'failing' AND j.probe_at <= now()))
), able AS MATERIALIZED (
    SELECT workspace_id, judge_model, first_at, max(served_at) AS served_at FROM chains
    WHERE NOT failing
    GROUP BY workspace_id, judge_model, first_at HAVING max(served_at) > first_at
), ready AS (
    SELECT found.id, (
        SELECT c.model FROM chains c
        WHERE c.workspace_id = a.workspace_id AND c.judge_model = a.judge_model
          AND c.served_at > found.recheck_after AND NOT c.failing
        ORDER BY c.position LIMIT 1
    ) AS model
    FROM (SELECT * FROM able ORDER BY first_at) a CROSS JOIN LATERAL (
        SELECT id, recheck_after FROM qa_evaluations e
        WHERE e.workspace_id = a.workspace_id AND e.judge_model = a.judge_model
          AND e.recheck_after < a.served_at
        ORDER BY recheck_after LIMIT %(limit)s
    ) found
    LIMIT %(limit)s
), idle AS (
    SELECT model FROM chains GROUP BY model
    HAVING COALESCE(max(last_at) FILTER (WHERE judge_model = model), max(last_at))
            < now() - make_interval(secs => %(pause)s)
       AND NOT EXISTS (SELECT FROM qa_evaluations u WHERE u.judge_model = model
           AND u.status IN ({waiting}) AND u.queue = 'bulk')
       AND NOT EXISTS (SELECT FROM qa_evaluations u WHERE u.judge_model = model
           AND u.status = 'running')
), probes AS (
    SELECT DISTINCT ON (c.model) c.last_id AS id, c.model, c.position, c.judge_model
    FROM chains c JOIN idle USING (model)
    WHERE NOT EXISTS (SELECT FROM able a
        WHERE a.workspace_id = c.workspace_id AND a.judge_model = c.judge_model)
    ORDER BY c.model, c.judge_model = c.model DESC, c.last_at DESC
), chosen AS (
    SELECT id, model FROM ready
    UNION ALL
    -- Where one answer is all there is, the judges are tried with it in turn.
    (SELECT DISTINCT ON (id) id, model FROM probes ORDER BY id, judge_model = model, position)
), taken AS (
    UPDATE qa_evaluations e SET recheck_after = NULL FROM chosen c
    WHERE e.id = c.id AND e.recheck_after IS NOT NULL AND e.id IN (
        SELECT id FROM qa_evaluations WHERE id IN (SELECT id FROM chosen)
        FOR UPDATE SKIP LOCKED)
    RETURNING e.answer_id, c.model
)
SELECT DISTINCT ON (d.id) d.answer_id, left(d.judge_key, -length('{degraded_mode}')) AS judge_key,
    d.evaluators, t.model, d.judge_prompt,
    -- Those of the chain that came before it, and nothing where it is the one asked for.
    CASE WHEN strpos(d.judge_key, '/' || t.model || '/') = 0 THEN rtrim(split_part(
        concat_ws('; ', d.fallback_because, d.judge_model || ': ' || d.error),
        t.model || ': ', 1), '; ')
    END AS fallback_because
FROM taken t
JOIN qa_evaluations d ON d.answer_id = t.answer_id AND d.is_current AND d.degraded
    AND d.judge_key LIKE '%%{degraded_mode}'
LEFT JOIN qa_evaluations k ON k.answer_id = d.answer_id AND k.workspace_id = d.workspace_id
    AND k.judge_key = left(d.judge_key, -length('{degraded_mode}'))
WHERE k.id IS NULL OR (k.status = 'failed' AND k.error LIKE 'transient:%%' AND NOT EXISTS (
    SELECT FROM qa_evaluations s
    WHERE s.judge_model = k.judge_model AND s.status = 'succeeded' AND NOT s.degraded
      AND NOT s.from_cache
      AND s.finished_at BETWEEN k.finished_at - make_interval(secs => %(lately)s)
                            AND k.finished_at))
