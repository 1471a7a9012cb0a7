-- Chunks by the terms they hold, for processes of the release before, which search by it. Row-level
-- security filters a row before any operator that might leak it, so under it the index could not be
-- used: this function reads the index as the tables' owner and confines itself to the workspace.
--
-- queries: the terms as quoted lexemes. PL/pgSQL, because the first migration makes this function before
-- there is a note_keys.
CREATE OR REPLACE FUNCTION note_postings(
    workspace uuid, notebook uuid, terms text[], queries text[]
)
RETURNS TABLE (term text, id uuid, length integer)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
SET work_mem = '32MB' AS $$
BEGIN
    RETURN QUERY SELECT asked.term, chunk.id, chunk.length
    FROM unnest(terms, queries) AS asked (term, query)
    CROSS JOIN LATERAL (
        SELECT c.id, c.length
        FROM note_chunks c
        WHERE note_keys(c.workspace_id, c.notebook_id, c.id, c.terms)
              @@ overlay(asked.query PLACING '''' || right(workspace::text, 8) FROM 1 FOR 1)::tsquery
          AND (c.workspace_id = workspace AND (notebook IS NULL OR c.notebook_id = notebook)) IS TRUE
        OFFSET 0  -- or a small table is read whole, once for each term, instead of the index
    ) AS chunk
    WHERE current_setting('role') <> 'searchqa_app'
       OR workspace = NULLIF(current_setting('app.workspace_id', true), '')::uuid;
END
$$
