-- The chunks of a workspace whose vectors are nearest to a question's, by cosine distance.
--
-- notebook: only its chunks, or NULL. question: a vector as text. index_name: of the index of this
-- workspace, model and number of dimensions, if there is one. candidates: how many of its nearest
-- by signs alone are compared by their vectors; fewer where the signs are of differences from the
-- mean, which order them better. pool: how many are returned.
--
-- Every vector is compared where there is no valid index, where a notebook has so few that this is
-- less work than reading the index until enough of them have come by, and where the index has
-- fewer than wanted, as after many were deleted. So a filter never loses what is near.
CREATE OR REPLACE FUNCTION nearest_embeddings(
    workspace uuid, notebook uuid, model text, dimensions integer, question text,
    index_name text, candidates integer, pool integer
)
RETURNS TABLE (chunk_id uuid, distance double precision)
-- Or the planner might sort all vectors in spite of the index.
LANGUAGE plpgsql SET enable_sort = off AS $$
DECLARE
    -- Written for EXECUTE, which plans with the values: only so is the index found to hold them.
    wanted CONSTANT text := 'workspace_id = $1 AND ($2 IS NULL OR notebook_id = $2)'
        ' AND model = $3 AND dimensions = $4';
    indexed real;
    -- What the index holds of `embedding`.
    signs text;
    few integer;
    found integer;
    ids uuid[];
    distances double precision[];
BEGIN
    SELECT c.reltuples, pg_get_expr(i.indexprs, i.indrelid) INTO indexed, signs
    FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
    WHERE i.indexrelid = to_regclass(index_name) AND i.indisvalid;
    IF strpos(signs, '-') > 0 THEN
        candidates := greatest(candidates * 3 / 4, pool);
    END IF;
    -- Comparing n vectors costs about as much as reading candidates * indexed / n of the index.
    few := ceil(sqrt(greatest(indexed, 1) * candidates));
    IF indexed IS NOT NULL AND notebook IS NOT NULL THEN
        SELECT count(*) INTO found FROM (
            SELECT FROM note_embeddings
            WHERE workspace_id = workspace AND notebook_id = notebook LIMIT few + 1) AS counted;
    END IF;
    IF indexed IS NOT NULL AND (notebook IS NULL OR found > few) THEN
        PERFORM set_config('hnsw.ef_search', least(candidates, 1000)::text, true),
            set_config('hnsw.iterative_scan', 'relaxed_order', true),
            set_config('hnsw.max_scan_tuples', greatest(20000, 4 * few)::text, true);
        EXECUTE format($near$
            WITH near AS MATERIALIZED (
                SELECT chunk_id, embedding FROM note_embeddings WHERE %s
                ORDER BY %s <~> %s LIMIT $6)
            SELECT array_agg(chunk_id), array_agg(embedding <=> CAST($5 AS vector)) FROM near
            $near$, wanted, signs, replace(signs, 'embedding', 'CAST($5 AS vector)'))
        INTO ids, distances USING workspace, notebook, model, dimensions, question, candidates;
    END IF;
    IF cardinality(ids) = candidates THEN
        RETURN QUERY SELECT near.id, near.away FROM unnest(ids, distances) AS near (id, away)
            ORDER BY near.away, near.id LIMIT pool;
        RETURN;
    END IF;
    RETURN QUERY EXECUTE format($all$
        SELECT chunk_id, embedding <=> CAST($5 AS vector) AS distance
        FROM note_embeddings WHERE %s
        ORDER BY distance, chunk_id LIMIT $6
        $all$, wanted)
    USING workspace, notebook, model, dimensions, question, pool;
END $$
