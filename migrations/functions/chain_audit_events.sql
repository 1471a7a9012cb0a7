-- Chains what a transaction has added, when it commits: whoever holds the lock of a workspace's head
-- takes no other lock but those of further heads, so writers wait for a moment and never for each
-- other. All events of the workspace at once; the trigger finds the others done.
CREATE OR REPLACE FUNCTION chain_audit_events() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    head audit_heads;
    event audit_events;
BEGIN
    IF NOT EXISTS (SELECT FROM audit_events WHERE id = NEW.id AND position IS NULL) THEN
        RETURN NULL;
    END IF;
    INSERT INTO audit_heads (workspace_id) VALUES (NEW.workspace_id) ON CONFLICT DO NOTHING;
    SELECT * INTO head FROM audit_heads WHERE workspace_id = NEW.workspace_id FOR UPDATE;
    FOR event IN
        SELECT * FROM audit_events
        WHERE workspace_id = NEW.workspace_id AND position IS NULL ORDER BY id
    LOOP
        event.position := head.position + 1;
        event.hash := audit_hash(head.hash, event);
        UPDATE audit_events SET position = event.position, hash = event.hash WHERE id = event.id;
        head.position := event.position;
        head.hash := event.hash;
    END LOOP;
    UPDATE audit_heads SET position = head.position, hash = head.hash
    WHERE workspace_id = NEW.workspace_id;
    RETURN NULL;
END $$
