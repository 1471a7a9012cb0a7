-- Chunks that were stored are to be embedded, whoever stores them; one without any text is not.
CREATE OR REPLACE FUNCTION queue_chunks() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO unembedded_chunks (chunk_id, workspace_id)
    SELECT id, workspace_id FROM added AS chunk
    WHERE content <> '' OR (SELECT title FROM notes WHERE id = chunk.note_id) <> '';
    RETURN NULL;
END $$
