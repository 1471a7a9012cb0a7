"""The type of the column that holds vectors, which depends on what the server has."""

# Vectors need pgvector, and a server without it keeps none: there the column is text and stays
# empty. Run after every migration, so that it becomes a vector once the server can. Who may not add
# the extension, or would have to wait for the table, leaves it as it is.
STORE_VECTORS = """
DO $$
BEGIN
    IF NOT EXISTS (
        SELECT FROM pg_attribute
        WHERE attrelid = to_regclass('public.note_embeddings') AND attname = 'embedding'
          AND atttypid = 'text'::regtype
    ) OR NOT EXISTS (SELECT FROM pg_available_extensions WHERE name = 'vector') THEN
        RETURN;
    END IF;
    PERFORM set_config('lock_timeout', '5s', true);
    CREATE EXTENSION IF NOT EXISTS vector;
    ALTER TABLE public.note_embeddings
        ALTER COLUMN embedding TYPE vector USING embedding::vector;
EXCEPTION WHEN insufficient_privilege OR lock_not_available THEN
    RETURN;
END $$
"""
