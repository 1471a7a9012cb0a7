-- A job that was one part of a run or a judge bench has failed or was cancelled: its owner ends the
-- same way, and the other parts are cancelled, because nobody would sum them up. Arguments of the
-- trigger: the owner's table, and the key of the payload that holds the owner's id.
CREATE OR REPLACE FUNCTION end_owner_of_ended_part() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    owner uuid;
BEGIN
    EXECUTE format(
        'UPDATE %I SET status = $1, error_message = $2, finished_at = now(), updated_at = now()
         WHERE id = $3 AND status IN (''pending'', ''running'') RETURNING id', TG_ARGV[0]
    ) INTO owner USING NEW.status, NEW.error, CAST(NEW.payload ->> TG_ARGV[1] AS uuid);
    IF owner IS NOT NULL THEN
        UPDATE jobs SET status = 'cancelled', finished_at = now(), lease_until = NULL
        WHERE workspace_id = NEW.workspace_id AND kind = NEW.kind
          AND payload @> jsonb_build_object(TG_ARGV[1], owner)
          AND status IN ('queued', 'running', 'retrying');
    END IF;
    RETURN NULL;
END $$
