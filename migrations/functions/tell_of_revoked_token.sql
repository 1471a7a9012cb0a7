-- Notifies the processes of the API of a token that was revoked or deleted, and revokes the reader
-- tokens that were made with it; deleted ones go by their foreign key.
CREATE OR REPLACE FUNCTION tell_of_revoked_token() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('searchqa_tokens', OLD.id::text);
    IF TG_OP = 'UPDATE' THEN
        UPDATE api_tokens SET revoked_at = NEW.revoked_at
        WHERE issued_by = NEW.id AND revoked_at IS NULL;
    END IF;
    RETURN NULL;
END $$
