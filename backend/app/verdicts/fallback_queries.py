"""The SQL that has judges stand in for those that are paused."""

from app.verdicts.lifecycle_queries import EVENTS_CHANNEL

# Rows of paused judges go to the first judge of their workspace that is not and has not failed with
# that very answer, which `fallback_because` tells (see Judging): else two judges would hand it to
# each other for ever. For one that was asked for by name, to judge an answer again, nobody stands
# in. This is asked at each tick, so nobody looks at the rows, which may be many, where there is no
# chain, no judge is paused, or all of a chain are.
FALL_BACK = f"""
WITH chains AS MATERIALIZED (
    SELECT * FROM (
        SELECT workspace_id, COALESCE(judge_model, %(judge_model)s) || fallback_models AS models
        FROM evaluation_policies
        WHERE fallback_models <> '{{}}' AND EXISTS (SELECT FROM judge_pauses)
    ) w WHERE NOT models <@ ARRAY(SELECT judge_model FROM judge_pauses)
), stuck AS (
    SELECT stuck.* FROM chains w CROSS JOIN LATERAL (
        SELECT e.id, next.model, p.judge_model || ' is paused: ' || p.reason AS because
        FROM qa_evaluations e JOIN judge_pauses p ON p.judge_model = e.judge_model
        CROSS JOIN LATERAL (
            SELECT model FROM unnest(w.models) WITH ORDINALITY AS chain (model, position)
            WHERE model NOT IN (SELECT judge_model FROM judge_pauses)
              AND strpos(COALESCE(e.fallback_because, ''), model || ': ') = 0
            ORDER BY position LIMIT 1
        ) next
        WHERE e.workspace_id = w.workspace_id AND e.status IN ('queued', 'retrying')
          AND e.is_current AND e.reason IS DISTINCT FROM 'probe'
          AND (e.run_at <= now() OR e.reason = 'judge_paused')
        LIMIT %(limit)s FOR UPDATE OF e SKIP LOCKED
    ) stuck
    LIMIT %(limit)s
), moved AS (
    UPDATE qa_evaluations e SET
        judge_model = stuck.model,
        fallback_because = concat_ws('; ', e.fallback_because, stuck.because),
        reason = 'fallback',
        tries = 0,
        run_at = now(),
        enqueued_at = NULL
    FROM stuck WHERE e.id = stuck.id
    RETURNING e.id, e.workspace_id, e.status
), told AS (
    INSERT INTO verdict_events (workspace_id, evaluation_id, status)
    SELECT workspace_id, id, status FROM moved
), woken AS (SELECT pg_notify('{EVENTS_CHANNEL}', '') FROM moved LIMIT 1)
SELECT (SELECT count(*) FROM moved), (SELECT count(*) FROM woken)
"""
