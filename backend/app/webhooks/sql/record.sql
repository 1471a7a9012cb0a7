-- Ends attempts. A delivery that somebody else has claimed or replayed since matches nothing.
--
-- rows: JSON, one object for each attempt (see outbox.py). disable_days: a webhook whose receiver
-- has taken nothing for so many days is switched off, as is one that answered 410, and the other
-- webhooks of its workspace are told of it. Returns the ids that were written.
WITH given AS (
    SELECT * FROM jsonb_to_recordset(%(rows)s::jsonb) AS r(
        id uuid, attempt int, status text, delay float8, code text, entry jsonb)
), recorded AS (
    UPDATE webhook_deliveries d SET
        status = g.status,
        run_at = now() + make_interval(secs => g.delay),
        lease_until = NULL,
        finished_at = CASE WHEN g.status <> 'pending' THEN now() END,
        log = jsonb_path_query_array(d.log || g.entry, '$[last - {attempts} to last]')
    FROM given g
    WHERE d.id = g.id AND d.attempt = g.attempt AND d.lease_until IS NOT NULL
    RETURNING d.id, d.webhook_id, d.event, d.status, g.code
), health AS (
    SELECT webhook_id, bool_or(code IS NULL) AS taken, bool_or(code = 'gone') AS gone,
        max(code) AS code
    FROM recorded WHERE event <> '{test_event}' OR code IS NULL OR code = 'gone'
    GROUP BY webhook_id
), judged AS (
    SELECT w.id, w.enabled, h.taken, h.code,
        CASE WHEN h.taken THEN NULL ELSE COALESCE(w.failing_since, now()) END AS failing_since,
        CASE WHEN h.gone THEN 'gone'
             WHEN NOT h.taken
              AND w.failing_since <= now() - make_interval(days => %(disable_days)s)
             THEN 'failing' END AS off
    FROM health h JOIN webhooks w ON w.id = h.webhook_id
    ORDER BY w.id FOR UPDATE OF w
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
), told AS (
    INSERT INTO webhook_deliveries (id, workspace_id, webhook_id, event, data)
    SELECT webhook_delivery_id(), other.workspace_id, other.id, 'webhook.disabled',
        jsonb_build_object('webhook_id', c.id, 'name', c.name, 'reason', c.reason,
            'last_error', c.last_error)
    FROM changed c JOIN webhooks other ON other.workspace_id = c.workspace_id
    WHERE c.ended AND other.id <> c.id AND other.enabled
      AND 'webhook.disabled' = ANY (other.events)
)
SELECT id FROM recorded
