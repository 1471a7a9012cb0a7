-- The hash of an event in the chain of its workspace: SHA-256 of the hash before it (NULL for the
-- first) and of all that the event says, as text that depends on no setting of the session.
CREATE OR REPLACE FUNCTION audit_hash(previous bytea, e audit_events) RETURNS bytea
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT sha256(COALESCE(previous, '') || convert_to(jsonb_build_array(
        e.workspace_id, e.position, (extract(epoch FROM e.at) * 1000000)::bigint, e.actor,
        e.actor_id, e.via, e.origin, e.kind, e.action, e.subject, e.subject_id, e.row_count,
        e.before, e.after
    )::text, 'UTF8'))
$$
