-- Notifies the processes of the API of a token that was revoked or deleted.
CREATE OR REPLACE FUNCTION tell_of_revoked_token() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('searchqa_tokens', OLD.id::text);
    RETURN NULL;
END $$
