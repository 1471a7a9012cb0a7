-- Deletes the conversation that has lost its last answer. Its row is locked first: of two
-- transactions that delete the last two answers, the second waits, and finds none.
CREATE OR REPLACE FUNCTION delete_empty_conversation() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM conversations c
    WHERE (c.workspace_id, c.owner, c.id) = (OLD.workspace_id, OLD.owner, OLD.conversation_id)
    FOR UPDATE;
    IF FOUND THEN
        DELETE FROM conversations c
        WHERE (c.workspace_id, c.owner, c.id) = (OLD.workspace_id, OLD.owner, OLD.conversation_id)
          AND NOT EXISTS (
            SELECT FROM conversation_answers l
            WHERE (l.workspace_id, l.owner, l.conversation_id)
                = (c.workspace_id, c.owner, c.id));
    END IF;
    RETURN NULL;
END $$
