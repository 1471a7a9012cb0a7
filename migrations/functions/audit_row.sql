-- The change of one row as an event. Arguments: kind; the columns of name and id, '' for none; secret
-- columns, of which only a change is named, `*` for all; columns that are left out.
CREATE OR REPLACE FUNCTION audit_row() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    secret text[] := string_to_array(TG_ARGV[3], ',');
    left_out text[] := string_to_array(TG_ARGV[4], ',') || '{workspace_id,created_at,updated_at}';
    was jsonb := to_jsonb(OLD) - left_out;
    is_now jsonb := to_jsonb(NEW) - left_out;
    whole jsonb := COALESCE(to_jsonb(NEW), to_jsonb(OLD));
BEGIN
    IF TG_OP = 'UPDATE' THEN
        SELECT jsonb_object_agg(key, o.value) FILTER (WHERE key <> ALL (secret)),
            jsonb_object_agg(key, CASE WHEN key = ANY (secret) THEN '"changed"' ELSE n.value END)
        INTO was, is_now
        FROM jsonb_each(was) o JOIN jsonb_each(is_now) n USING (key) WHERE o.value <> n.value;
        IF is_now IS NULL THEN
            RETURN NULL;
        END IF;
    ELSIF '*' = ANY (secret) THEN
        was := NULL;
        is_now := NULL;
    ELSE
        was := jsonb_strip_nulls(was - secret);
        is_now := jsonb_strip_nulls(is_now - secret);
    END IF;
    PERFORM add_audit_event(
        COALESCE((whole->>'workspace_id')::uuid, '00000000-0000-0000-0000-000000000000'),
        TG_ARGV[0], lower(TG_OP), whole->>TG_ARGV[1], whole->>TG_ARGV[2], 1, was, is_now
    );
    RETURN NULL;
END $$
