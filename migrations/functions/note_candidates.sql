-- The chunks of a workspace (and notebook) that match `wanted`, a query over the keys of note_keys:
-- the `pool` best by the weights of the terms they hold, estimated.
--
-- queries: of one term each, with their weights. k1, b, mean_length: BM25's. ts_rank grows with a term's
-- frequency much as BM25 does, and is ten times faster than counting. setweight changes nothing but
-- where the terms are: they are fetched from beside their row once, and not again for each term.
CREATE OR REPLACE FUNCTION note_candidates(
    workspace uuid, notebook uuid, wanted tsquery, queries tsquery[], weights float8[],
    k1 float8, b float8, mean_length float8, pool integer
)
RETURNS TABLE (id uuid, norm float8)
LANGUAGE sql STABLE ROWS 100 SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
SET enable_seqscan = off SET enable_indexscan = off SET work_mem = '32MB' SET jit = off AS $$
    SELECT chunk.id, chunk.norm
    FROM (
        SELECT c.id, setweight(c.terms, 'D') AS terms, k1 * (1 - b + b * c.length / mean_length) AS norm
        FROM note_chunks c
        WHERE note_keys(c.workspace_id, c.notebook_id, c.id, c.terms) @@ wanted
          AND (c.workspace_id = workspace AND (notebook IS NULL OR c.notebook_id = notebook)) IS TRUE
          AND (current_setting('role') <> 'searchqa_app'
               OR workspace = NULLIF(current_setting('app.workspace_id', true), '')::uuid)
        OFFSET 0
    ) AS chunk
    ORDER BY (
        SELECT sum(weight * ts_rank('{1, 1, 1, 1}', chunk.terms, query))
        FROM unnest(queries, weights) AS given (query, weight)
    ) / (1 + norm) DESC, chunk.id
    LIMIT pool
$$
