-- Chunks by the terms they hold. Row-level security filters a row before any operator that might
-- leak it, so under it the GIN index could not be used. This function reads the index as the
-- tables' owner and confines itself to the workspace.
CREATE OR REPLACE FUNCTION note_postings(
    workspace uuid, notebook uuid, terms text[], queries text[]
)
RETURNS TABLE (term text, id uuid, length integer)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT query.term, chunk.id, chunk.length
    FROM unnest(terms, queries) AS query (term, tsquery)
    CROSS JOIN LATERAL (
        SELECT c.id, c.length
        FROM note_chunks c
        WHERE c.workspace_id = workspace
          AND (notebook IS NULL OR c.notebook_id = notebook)
          AND c.terms @@ CAST(query.tsquery AS tsquery)
        OFFSET 0  -- or a small table is read whole, once for each term, instead of the index
    ) AS chunk
    WHERE current_setting('role') <> 'searchqa_app'
       OR workspace = NULLIF(current_setting('app.workspace_id', true), '')::uuid
$$
