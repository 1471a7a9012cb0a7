-- The receipt of a deletion of a user, in the audit log: the keyed hash of who it was, also where
-- the policy stores users as sent, and how many rows went, by table. Returns the hash.
CREATE OR REPLACE FUNCTION record_user_deletion(workspace uuid, given text, deleted jsonb)
RETURNS text LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    hashed text := CASE WHEN given ~ '^hmac:[0-9a-f]{32}$' THEN given ELSE (
        SELECT 'hmac:' || left(encode(sha256(substring(user_ref_key FROM 33)
            || sha256(substring(user_ref_key FOR 32) || convert_to(given, 'UTF8'))), 'hex'), 32)
        FROM workspaces WHERE id = workspace) END;
BEGIN
    IF current_setting('role') = 'searchqa_app'
        AND workspace::text IS DISTINCT FROM current_setting('app.workspace_id', true) THEN
        RAISE EXCEPTION 'no event of this workspace' USING ERRCODE = 'insufficient_privilege';
    END IF;
    PERFORM add_audit_event(workspace, 'user', 'delete', NULL, hashed,
        COALESCE((deleted->>'qa_answers')::bigint, 0), deleted, NULL);
    RETURN hashed;
END $$
