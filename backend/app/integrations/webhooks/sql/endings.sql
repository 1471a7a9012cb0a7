-- Notifies webhooks of models that end, at each of `days` before, if the workspace or the server's
-- settings use them: once each. server: variables by model.
WITH ending AS (
    SELECT e.model, e.ends_on, e.ends_on - t.today AS days,
        (SELECT min(d) FROM unnest(%(days)s::int[]) d WHERE d >= e.ends_on - t.today) AS stage
    FROM model_endings e, (SELECT (now() AT TIME ZONE 'UTC')::date AS today) t
), near AS MATERIALIZED (
    SELECT * FROM ending WHERE stage IS NOT NULL
), uses AS MATERIALIZED (
    SELECT * FROM model_uses(ARRAY(SELECT model FROM near))
), due AS (
    SELECT w.id, w.workspace_id, n.*, u.uses,
        concat_ws(' ', 'ending', n.model, n.ends_on, n.stage) AS key
    FROM webhooks w CROSS JOIN near n
    CROSS JOIN LATERAL (
        SELECT jsonb_agg(jsonb_build_object('kind', kind, 'name', name) ORDER BY kind, name) AS uses
        FROM (
            SELECT kind, name FROM uses WHERE workspace_id = w.workspace_id AND model = n.model
            UNION ALL
            SELECT 'server', v FROM jsonb_array_elements_text(%(server)s::jsonb -> n.model) v
            LIMIT %(max_uses)s
        ) used
    ) u
    WHERE w.enabled AND 'model.ending' = ANY (w.events) AND u.uses IS NOT NULL
      AND (w.judges IS NULL OR n.model = ANY (w.judges))
), raised AS (
    INSERT INTO webhook_alerts (webhook_id, key, workspace_id)
    SELECT id, key, workspace_id FROM due
    ON CONFLICT DO NOTHING
    RETURNING webhook_id, key
), events AS (
    INSERT INTO webhook_deliveries (id, workspace_id, webhook_id, event, data)
    SELECT webhook_delivery_id(), d.workspace_id, d.id, 'model.ending',
        jsonb_build_object('model', d.model, 'ends_on', d.ends_on, 'days', d.days, 'uses', d.uses)
    FROM due d JOIN raised r ON r.webhook_id = d.id AND r.key = d.key
    RETURNING id
)
SELECT count(*) FROM events
