-- Ends an attempt. A delivery that somebody else has claimed or replayed since matches nothing.
--
-- delay: seconds until the next attempt. code: why this one failed, NULL where it was taken. entry:
-- JSON, for the log. disable_days: a webhook whose receiver has taken nothing for so many days is
-- switched off, as is one that answered 410, and the other webhooks of its workspace are notified. Returns the id if it was written.
WITH recorded AS (
    UPDATE webhook_deliveries d SET
        status = %(status)s::text,
        run_at = now() + make_interval(secs => %(delay)s),
        lease_until = NULL,
        finished_at = CASE WHEN %(status)s::text <> 'pending' THEN now() END,
        log = jsonb_path_query_array(d.log || %(entry)s::jsonb, '$[last - {attempts} to last]')
    WHERE d.id = %(id)s AND d.attempt = %(attempt)s AND d.lease_until IS NOT NULL
    RETURNING d.id, d.webhook_id, d.event, %(code)s::text AS code
), judged AS (
    SELECT w.id, w.enabled, r.code IS NULL AS taken, r.code,
        CASE WHEN r.code IS NOT NULL THEN COALESCE(w.failing_since, now()) END AS failing_since,
        CASE WHEN r.code = 'gone' THEN 'gone'
             WHEN r.code IS NOT NULL
              AND w.failing_since <= now() - make_interval(days => %(disable_days)s)
             THEN 'failing' END AS off
    FROM recorded r JOIN webhooks w ON w.id = r.webhook_id
    WHERE r.event <> '{test_event}' OR r.code IS NULL OR r.code = 'gone'
    FOR UPDATE OF w
), changed AS (
    UPDATE webhooks w SET
        delivered_at = CASE WHEN j.taken THEN now() ELSE w.delivered_at END,
        failing_since = j.failing_since,
        last_error = CASE WHEN j.taken AND j.off IS NULL THEN NULL ELSE j.code END,
        enabled = j.enabled AND j.off IS NULL,
        disabled_reason = CASE WHEN j.enabled THEN j.off ELSE w.disabled_reason END,
        disabled_at = CASE WHEN j.enabled AND j.off IS NOT NULL THEN now() ELSE w.disabled_at END
    FROM judged j WHERE w.id = j.id
    RETURNING w.id, w.workspace_id, w.name, w.last_error, j.enabled AND j.off IS NOT NULL AS ended,
        j.off AS reason
), notified AS (
    INSERT INTO webhook_deliveries (id, workspace_id, webhook_id, event, data)
    SELECT webhook_delivery_id(), other.workspace_id, other.id, 'webhook.disabled',
        jsonb_build_object('webhook_id', c.id, 'name', c.name, 'reason', c.reason,
            'last_error', c.last_error)
    FROM changed c JOIN webhooks other ON other.workspace_id = c.workspace_id
    WHERE c.ended AND other.id <> c.id AND other.enabled
      AND 'webhook.disabled' = ANY (other.events)
)
SELECT id FROM recorded
