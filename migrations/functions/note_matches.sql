-- The chunks of a workspace (and notebook) that match queries over the keys of note_keys, each
-- with the query's number, from 1. As for note_postings, row-level security would keep the index
-- from being used.
--
-- The settings leave no plan but that index, and room for its pages: where they do not fit, the keys
-- of every chunk on them are made again.
CREATE OR REPLACE FUNCTION note_matches(workspace uuid, notebook uuid, queries text[])
RETURNS TABLE (query integer, id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
SET enable_seqscan = off SET enable_indexscan = off SET work_mem = '32MB' SET jit = off AS $$
    SELECT given.number::integer, chunk.id
    FROM unnest(queries) WITH ORDINALITY AS given (query, number)
    CROSS JOIN LATERAL (
        SELECT c.id FROM note_chunks c
        WHERE note_keys(c.workspace_id, c.notebook_id, c.id, c.terms) @@ given.query::tsquery
          AND (c.workspace_id = workspace AND (notebook IS NULL OR c.notebook_id = notebook)) IS TRUE
        OFFSET 0
    ) AS chunk
    WHERE current_setting('role') <> 'searchqa_app'
       OR workspace = NULLIF(current_setting('app.workspace_id', true), '')::uuid
$$
