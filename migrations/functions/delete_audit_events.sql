-- Retention: deletes the oldest events of each workspace, up to the first that is young enough, and
-- keeps the hash of the last one as the anchor that the rest of the chain begins with. Returns a row
-- for each. Nobody's days are below 30.
CREATE OR REPLACE FUNCTION delete_audit_events(days int, most int) RETURNS SETOF bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    until timestamptz := now() - make_interval(days => CASE WHEN days > 30 THEN days ELSE 30 END);
    head audit_heads;
    last audit_events;
BEGIN
    FOR head IN
        SELECT h.* FROM audit_heads h JOIN audit_events e ON e.workspace_id = h.workspace_id
            AND e.position = h.anchor_position + 1 AND e.at < until
        ORDER BY h.workspace_id FOR UPDATE OF h SKIP LOCKED
    LOOP
        SELECT e.* INTO last FROM audit_events e WHERE e.workspace_id = head.workspace_id
            AND e.position < COALESCE(
                (SELECT min(y.position) FROM audit_events y
                 WHERE y.workspace_id = head.workspace_id AND y.at >= until), head.position + 1)
            AND e.position <= head.anchor_position + most
        ORDER BY e.position DESC LIMIT 1;
        UPDATE audit_heads SET anchor_position = last.position, anchor_hash = last.hash
        WHERE workspace_id = head.workspace_id;
        RETURN QUERY DELETE FROM audit_events
            WHERE workspace_id = head.workspace_id AND position <= last.position
            RETURNING position;
    END LOOP;
END $$
