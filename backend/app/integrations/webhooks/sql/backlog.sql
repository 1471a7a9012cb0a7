-- Notifies webhooks of fresh answers that have waited for a verdict longer than they allow: once, until
-- no answer waits so long any more. What waits for the daily budget waits as its workspace wants,
-- and answers judged again have had a verdict.
--
-- It runs often, so it looks at the oldest answer of each state, and counts, up to `max_waiting`,
-- where an event is due.
WITH watching AS (
    SELECT id, workspace_id, backlog_minutes FROM webhooks
    WHERE enabled AND 'backlog.old' = ANY (events)
), waiting AS MATERIALIZED (
    SELECT w.workspace_id, min(e.created_at) AS oldest
    FROM (SELECT DISTINCT workspace_id FROM watching) w
    CROSS JOIN unnest(ARRAY[{unfinished}]) AS s(status)
    CROSS JOIN LATERAL (
        SELECT created_at FROM qa_evaluations
        WHERE workspace_id = w.workspace_id AND status = s.status AND {fresh}
        ORDER BY created_at LIMIT 1
    ) e
    GROUP BY w.workspace_id
), old AS (
    SELECT w.id, w.workspace_id, b.oldest
    FROM watching w JOIN waiting b ON b.workspace_id = w.workspace_id
    WHERE b.oldest < now() - make_interval(mins => w.backlog_minutes)
), raised AS (
    INSERT INTO webhook_alerts (webhook_id, key, workspace_id)
    SELECT id, 'backlog', workspace_id FROM old
    ON CONFLICT DO NOTHING
    RETURNING webhook_id, workspace_id
), ended AS (
    DELETE FROM webhook_alerts a
    WHERE a.key = 'backlog' AND NOT EXISTS (SELECT FROM old WHERE old.id = a.webhook_id)
), counted AS MATERIALIZED (
    SELECT r.workspace_id, e.waiting
    FROM (SELECT DISTINCT workspace_id FROM raised) r
    CROSS JOIN LATERAL (
        SELECT count(*) AS waiting FROM (
            SELECT FROM qa_evaluations
            WHERE workspace_id = r.workspace_id AND status IN ({unfinished}) AND {fresh}
            LIMIT %(max_waiting)s
        ) counted_up_to
    ) e
), events AS (
    INSERT INTO webhook_deliveries (id, workspace_id, webhook_id, event, data)
    SELECT webhook_delivery_id(), o.workspace_id, o.id, 'backlog.old',
        jsonb_build_object('waiting', c.waiting, 'oldest_at', o.oldest,
            'oldest_minutes', round(extract(epoch FROM now() - o.oldest) / 60, 1))
    FROM old o
    JOIN raised r ON r.webhook_id = o.id
    JOIN counted c ON c.workspace_id = o.workspace_id
    RETURNING id
)
SELECT count(*) FROM events
