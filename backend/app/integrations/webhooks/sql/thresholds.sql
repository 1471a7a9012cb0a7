-- Notifies webhooks of thresholds that the answers of this day have crossed, each once a day. A day is
-- that of the workspace's time zone, and answers belong to the day on which they were given, as in
-- the analytics; degraded verdicts count in no share. min_verdicts: how many verdicts a share needs.
WITH watching AS (
    SELECT w.id, w.workspace_id, t.metric, t.direction, t.value,
        date_trunc('day', now() AT TIME ZONE zone) AT TIME ZONE zone AS day_start,
        (now() AT TIME ZONE zone)::date AS day
    FROM webhooks w
    CROSS JOIN LATERAL jsonb_to_recordset(w.thresholds) AS t(
        metric text, direction text, value float8)
    LEFT JOIN evaluation_policies p ON p.workspace_id = w.workspace_id
    CROSS JOIN LATERAL (SELECT COALESCE(p.time_zone, 'UTC') AS zone) z
    WHERE w.enabled AND 'threshold.crossed' = ANY (w.events)
), counted AS MATERIALIZED (
    SELECT d.workspace_id, e.*, c.cost
    FROM (SELECT DISTINCT workspace_id, day_start FROM watching) d
    CROSS JOIN LATERAL (
        SELECT count(*) FILTER (WHERE status = 'succeeded') AS succeeded,
            count(*) FILTER (WHERE status = 'failed') AS failed,
            count(confidence) FILTER (
                WHERE NOT degraded AND outcome IS DISTINCT FROM 'rightly_refused') AS banded,
            count(*) FILTER (WHERE NOT degraded AND confidence = 'high') AS high,
            count(*) FILTER (WHERE NOT degraded AND confidence = 'low') AS low,
            count(claims_unsupported) FILTER (WHERE NOT degraded) AS checked,
            count(*) FILTER (WHERE NOT degraded AND claims_unsupported > 0) AS unsupported
        FROM qa_evaluations
        WHERE workspace_id = d.workspace_id AND answered_at >= d.day_start AND is_current
    ) e
    CROSS JOIN LATERAL (
        SELECT COALESCE(sum(cost_usd), 0)::float8 AS cost FROM qa_evaluations
        WHERE workspace_id = d.workspace_id AND answered_at >= d.day_start
    ) c
), measured AS (
    SELECT c.workspace_id, m.metric, m.verdicts, m.part / NULLIF(m.verdicts, 0) AS actual
    FROM counted c CROSS JOIN LATERAL (VALUES
        ('high_share', c.banded, c.high::float8),
        ('low_share', c.banded, c.low::float8),
        ('unsupported_share', c.checked, c.unsupported::float8),
        ('failed_share', c.succeeded + c.failed, c.failed::float8)
    ) AS m(metric, verdicts, part)
    WHERE m.verdicts >= %(min_verdicts)s
    UNION ALL SELECT workspace_id, 'cost_usd', succeeded + failed, cost FROM counted
), crossed AS (
    SELECT w.*, m.actual, m.verdicts, concat_ws(' ', w.day, w.metric, w.direction, w.value) AS key
    FROM watching w JOIN measured m ON m.workspace_id = w.workspace_id AND m.metric = w.metric
    WHERE CASE w.direction WHEN 'above' THEN m.actual > w.value ELSE m.actual < w.value END
), raised AS (
    INSERT INTO webhook_alerts (webhook_id, key, workspace_id)
    SELECT DISTINCT id, key, workspace_id FROM crossed
    ON CONFLICT DO NOTHING
    RETURNING webhook_id, key
), expired AS (
    DELETE FROM webhook_alerts
    WHERE key <> 'backlog' AND created_at < now()
        - CASE WHEN starts_with(key, 'ending ') THEN interval '400 days' ELSE interval '3 days' END
), events AS (
    INSERT INTO webhook_deliveries (id, workspace_id, webhook_id, event, data)
    SELECT DISTINCT ON (c.id, c.key) webhook_delivery_id(), c.workspace_id, c.id,
        'threshold.crossed',
        jsonb_build_object('metric', c.metric, 'direction', c.direction, 'value', c.value,
            'actual', c.actual, 'verdicts', c.verdicts, 'day', c.day)
    FROM crossed c JOIN raised r ON r.webhook_id = c.id AND r.key = c.key
    RETURNING id
)
SELECT count(*) FROM events
