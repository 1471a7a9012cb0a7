-- Puts a failure that recurs, or that came back after it was mended, into the outbox of each webhook
-- of its workspace that wants it, in the transaction that notices it. Webhooks are locked, so one
-- that is being deleted gets nothing.
CREATE OR REPLACE FUNCTION deliver_failure_event() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    happened text := CASE WHEN NEW.reopened_at <> COALESCE(OLD.reopened_at, '-infinity')
        THEN 'failure.reopened' ELSE 'failure.opened' END;
BEGIN
    INSERT INTO webhook_deliveries (id, workspace_id, webhook_id, event, data)
    SELECT webhook_delivery_id(), w.workspace_id, w.id, happened,
        jsonb_build_object('failure_id', NEW.id, 'name', NEW.name, 'fault', NEW.fault,
            'note_id', NEW.note_id, 'note_title', NEW.note_title, 'owner', NEW.owner,
            'answers', (SELECT count(*) FROM analytics.recurring_failures r
                WHERE r.workspace_id = NEW.workspace_id AND r.failure_id = NEW.id),
            'first_seen_at', NEW.first_seen_at, 'last_seen_at', NEW.last_seen_at,
            'mended_in', NEW.mended_in, 'mended_at', NEW.mended_at,
            'reopened_in', NEW.reopened_in)
    FROM webhooks w
    WHERE w.workspace_id = NEW.workspace_id AND w.enabled AND happened = ANY (w.events)
    FOR KEY SHARE OF w;
    RETURN NULL;
END $$
