-- The key of a workspace's marks, made of the one that hashes its users, which nobody reads. It ends
-- with that one.
CREATE OR REPLACE FUNCTION redaction_key(workspace uuid) RETURNS bytea
LANGUAGE sql STABLE STRICT SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT sha256('redaction' || user_ref_key) FROM workspaces WHERE id = workspace
$$
