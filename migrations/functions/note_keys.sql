-- What the index of note_chunks holds of a chunk; app.notes.keys writes the same in queries.
--
-- Each key begins with the end of the workspace's id, so that one workspace reads nothing of others:
--   'TERM'      a term of the chunk
--   'TERM 3'    a term that occurs three times at least; also 2, 4, 6 and 9
--   ' n ID'     the chunk's notebook
--   ' s 2'      one chunk of 4² is of sample 2, and of every sample before it; up to 8
--   'TERM s2'   a term of a chunk of sample 2, up to 8: to count it there, nothing is intersected
-- A term has no space in it.
CREATE OR REPLACE FUNCTION note_keys(workspace uuid, notebook uuid, chunk uuid, terms tsvector)
RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT array_to_tsvector(array_agg(right(workspace::text, 8) || key))
    FROM (
        SELECT lexeme FROM unnest(terms)
        UNION ALL
        SELECT lexeme || ' ' || least_count
        FROM unnest(terms) CROSS JOIN unnest(ARRAY[2, 3, 4, 6, 9]) AS least_count
        WHERE cardinality(positions) >= least_count
        UNION ALL
        SELECT lexeme || ' s' || sample
        FROM generate_series(2, 8) AS sample CROSS JOIN unnest(terms)
        WHERE uuid_hash_extended(chunk, 0) & ((1 << 2 * sample) - 1) = 0
        UNION ALL
        SELECT ' n ' || notebook
        UNION ALL
        SELECT ' s ' || sample FROM generate_series(1, 8) AS sample
        WHERE uuid_hash_extended(chunk, 0) & ((1 << 2 * sample) - 1) = 0
    ) AS keys (key)
$$
