-- Adds an event, which `chain_audit_events` gives its place when the transaction commits. The actor
-- is who the process says; a session that says nothing, as psql, is named by its login. Values of
-- more than 2,000 characters are cut.
CREATE OR REPLACE FUNCTION add_audit_event(
    workspace uuid, kind text, action text, subject text, subject_id text, row_count bigint,
    before jsonb, after jsonb
) RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    WITH acting AS (
        SELECT COALESCE(NULLIF(current_setting('app.actor', true), '')::jsonb, jsonb_build_object(
            'name', session_user, 'via', 'database', 'origin',
            concat_ws(' ', host(inet_client_addr()), current_setting('application_name')))) AS a
    ), cut AS (
        SELECT side, jsonb_object_agg(key, CASE WHEN length(value::text) > 2000
            THEN to_jsonb(left(value::text, 2000) || '…') ELSE value END) AS shown
        FROM (VALUES ('before', before), ('after', after)) AS given (side, fields),
            jsonb_each(fields)
        GROUP BY side
    )
    INSERT INTO audit_events (workspace_id, actor, actor_id, via, origin, kind, action, subject,
        subject_id, row_count, before, after)
    SELECT workspace, a->>'name', (a->>'id')::uuid, a->>'via', a->>'origin', kind, action, subject,
        subject_id, row_count, (SELECT shown FROM cut WHERE side = 'before'),
        (SELECT shown FROM cut WHERE side = 'after')
    FROM acting
$$
