-- What reads rather than changes, which no trigger sees: an export, of the session's own workspace for
-- the API, or a backup.
CREATE OR REPLACE FUNCTION record_audit_event(workspace uuid, kind text, subject text, detail jsonb)
RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF kind NOT IN ('export', 'backup') OR current_setting('role') = 'searchqa_app'
        AND workspace::text IS DISTINCT FROM current_setting('app.workspace_id', true) THEN
        RAISE EXCEPTION 'no event of this kind or workspace' USING ERRCODE = 'insufficient_privilege';
    END IF;
    PERFORM add_audit_event(workspace, kind, 'read', subject, NULL, 1, NULL, detail);
END $$
