-- Tells webhooks of fresh answers that have waited for a verdict longer than they allow: once, until
-- no answer waits so long any more. What waits for the daily budget waits as its workspace wants,
-- and answers judged again have had a verdict.
WITH watching AS (
    SELECT id, workspace_id, backlog_minutes FROM webhooks
    WHERE enabled AND 'backlog.old' = ANY (events)
), waiting AS MATERIALIZED (
    SELECT w.workspace_id, b.*
    FROM (SELECT DISTINCT workspace_id FROM watching) w
    CROSS JOIN LATERAL (
        SELECT count(*) AS waiting, min(e.created_at) AS oldest
        FROM qa_evaluations e
        WHERE e.workspace_id = w.workspace_id AND e.status IN ({unfinished})
          AND e.is_current AND e.queue <> 'bulk'
          AND COALESCE(e.reason, '') NOT IN ({budget_reasons})
    ) b
), old AS (
    SELECT w.id, w.workspace_id, b.waiting, b.oldest
    FROM watching w JOIN waiting b ON b.workspace_id = w.workspace_id
    WHERE b.oldest < now() - make_interval(mins => w.backlog_minutes)
), raised AS (
    INSERT INTO webhook_alerts (webhook_id, key, workspace_id)
    SELECT id, 'backlog', workspace_id FROM old
    ON CONFLICT DO NOTHING
    RETURNING webhook_id
), ended AS (
    DELETE FROM webhook_alerts a
    WHERE a.key = 'backlog' AND NOT EXISTS (SELECT FROM old WHERE old.id = a.webhook_id)
), told AS (
    INSERT INTO webhook_deliveries (id, workspace_id, webhook_id, event, data)
    SELECT webhook_delivery_id(), o.workspace_id, o.id, 'backlog.old',
        jsonb_build_object('waiting', o.waiting, 'oldest_at', o.oldest,
            'oldest_minutes', round(extract(epoch FROM now() - o.oldest) / 60, 1))
    FROM old o JOIN raised r ON r.webhook_id = o.id
    RETURNING id
)
SELECT count(*) FROM told
