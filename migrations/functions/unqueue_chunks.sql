-- Chunks whose vector was stored, or that the model refused, are not to be embedded any more.
CREATE OR REPLACE FUNCTION unqueue_chunks() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    -- By an array, which leaves no plan that reads the whole queue.
    DELETE FROM unembedded_chunks WHERE chunk_id = ANY (ARRAY(SELECT chunk_id FROM stored));
    RETURN NULL;
END $$
