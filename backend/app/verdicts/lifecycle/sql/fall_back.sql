-- Gives waiting rows of paused judges to another judge, or to the rules, at most `limit` of each.
-- judge_model, judge_fallback: the server's, where a workspace has none of its own. Returns how
-- many.
--
-- Rows of paused judges go to the first judge of their workspace that is not and has not failed
-- with that very answer: else two judges would hand it to each other for ever. For one that was
-- asked for by name, to judge an answer again, nobody stands in. This is asked at each tick, so no
-- rows are looked at, which may be many, where there is no chain, no judge is paused, or all of a
-- chain are.
--
-- Where the judge is failing and nobody of the chain is left, the rules judge if the workspace
-- wants that; the rows keep their judge, and are marked for the claim. A row behind a stand-in that
-- is paused as well gets the reason judge_paused.
--
-- A paused judge of a cascade is passed over; only the last of a cascade has the chain behind it.
WITH chains AS MATERIALIZED (
    SELECT * FROM (
        SELECT workspace_id, COALESCE(judge_model, %(judge_model)s) || fallback_models AS models
        FROM evaluation_policies
        WHERE fallback_models <> '{}' AND EXISTS (SELECT FROM judge_pauses)
    ) w WHERE NOT models <@ ARRAY(SELECT judge_model FROM judge_pauses)
), stuck AS (
    SELECT stuck.* FROM chains c CROSS JOIN LATERAL (
        SELECT e.id, next.model,
               concat(p.judge_model, CASE p.kind WHEN 'failing' THEN ' is failing: '
                                     ELSE ' is paused: ' END, p.reason) AS because
        FROM qa_evaluations e JOIN judge_pauses p ON p.judge_model = e.judge_model
        CROSS JOIN LATERAL ({next_in_chain}) next
        WHERE e.workspace_id = c.workspace_id AND e.status IN ({waiting})
          AND e.is_current AND NOT {mid_cascade}
          AND COALESCE(e.reason, '') NOT IN (
              'probe', 'budget_spent', 'budget_held', 'in_batch')
        LIMIT %(limit)s FOR UPDATE OF e SKIP LOCKED
    ) stuck
    LIMIT %(limit)s
), failing AS MATERIALIZED (
    SELECT judge_model FROM judge_pauses
    WHERE kind = 'failing' AND (%(judge_fallback)s = 'rules' OR EXISTS (
        SELECT FROM evaluation_policies WHERE judge_fallback = 'rules'))
), alone AS (
    SELECT alone.id FROM failing f CROSS JOIN LATERAL (
        SELECT e.id FROM qa_evaluations e
        LEFT JOIN evaluation_policies w ON w.workspace_id = e.workspace_id
        WHERE e.judge_model = f.judge_model AND e.status IN ({waiting})
          AND e.queue IN ('live', 'bulk', 'isolated')
          AND e.is_current AND NOT {mid_cascade} AND COALESCE(e.reason, '') NOT IN (
              'probe', 'budget_spent', 'budget_held', 'rules_fallback', 'in_batch')
          AND COALESCE(w.judge_fallback, %(judge_fallback)s) = 'rules'
          AND NOT EXISTS (
              SELECT FROM chains c
              CROSS JOIN LATERAL ({next_in_chain}) next
              WHERE c.workspace_id = e.workspace_id)
        LIMIT %(limit)s FOR UPDATE OF e SKIP LOCKED
    ) alone
    LIMIT %(limit)s
), stopped AS MATERIALIZED (
    SELECT e.id, e.judge_model, next.model,
           concat(CASE p.kind WHEN 'failing' THEN 'failing: ' ELSE 'paused: ' END, p.reason)
               AS because
    FROM judge_pauses p JOIN qa_evaluations e ON e.judge_model = p.judge_model
    CROSS JOIN LATERAL ({next_in_cascade}) next
    WHERE e.status IN ({waiting}) AND e.cascade IS NOT NULL AND {mid_cascade}
      AND COALESCE(e.reason, '') NOT IN ('probe', 'budget_spent', 'budget_held')
    LIMIT %(limit)s FOR UPDATE OF e SKIP LOCKED
), passed_over AS (
    UPDATE qa_evaluations e SET
        judge_model = s.model,
        reason = CASE WHEN EXISTS (SELECT FROM judge_pauses p WHERE p.judge_model = s.model)
            THEN 'judge_paused' ELSE 'cascade' END,
        cost_estimate_usd = e.cascade_costs[array_position(e.cascade, s.model)],
        tries = 0,
        run_at = now(),
        enqueued_at = NULL
    FROM stopped s WHERE e.id = s.id
    RETURNING e.id, e.workspace_id, e.status, e.reason, e.attempt, s.judge_model AS stopped, s.because
), steps AS (
    INSERT INTO qa_cascade_steps
        (workspace_id, evaluation_id, position, attempt, judge_model, sure, checked, decided, error)
    SELECT workspace_id, id,
        1 + (SELECT count(*) FROM qa_cascade_steps before
             WHERE before.evaluation_id = passed_over.id),
        attempt, stopped, false, false, false, because
    FROM passed_over
), to_rules AS (
    UPDATE qa_evaluations e SET reason = 'rules_fallback', run_at = now(), enqueued_at = NULL
    FROM alone WHERE e.id = alone.id
    RETURNING e.id
), waiting AS (
    UPDATE qa_evaluations e SET reason = 'judge_paused'
    WHERE e.id = ANY(ARRAY(
        SELECT w.id FROM judge_pauses p JOIN qa_evaluations w ON w.judge_model = p.judge_model
        WHERE w.status IN ({waiting}) AND w.reason = 'fallback'
          AND w.id NOT IN (SELECT id FROM stuck UNION ALL SELECT id FROM alone
                           UNION ALL SELECT id FROM stopped)
        LIMIT %(limit)s FOR UPDATE OF w SKIP LOCKED))
), moved AS (
    UPDATE qa_evaluations e SET
        judge_model = stuck.model,
        fallback_because = concat_ws('; ', e.fallback_because, stuck.because),
        reason = 'fallback',
        tries = 0,
        run_at = now(),
        enqueued_at = NULL
    FROM stuck WHERE e.id = stuck.id
    RETURNING e.id, e.workspace_id, e.status, e.reason
), events AS (
    INSERT INTO verdict_events (workspace_id, evaluation_id, status, reason)
    SELECT workspace_id, id, status, reason FROM moved
    UNION ALL SELECT workspace_id, id, status, reason FROM passed_over
    RETURNING id
), notified AS (SELECT pg_notify('{events_channel}', '') FROM events LIMIT 1)
SELECT (SELECT count(*) FROM moved) + (SELECT count(*) FROM to_rules)
         + (SELECT count(*) FROM passed_over),
       (SELECT count(*) FROM notified)
