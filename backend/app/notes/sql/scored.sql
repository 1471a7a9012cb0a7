-- The CTE `scores`: the BM25 score of the chunks that match a query over the keys of note_keys.
--
-- wanted: the query. terms, queries, weights: the question's terms, each as a query of its own and with
-- its idf. k1, b, mean_length: BM25's. pool: how many chunks are scored exactly.
WITH weights AS MATERIALIZED (
    SELECT term, idf
    FROM unnest(CAST(:terms AS text[]), CAST(:weights AS float8[])) AS given (term, idf)
),
candidates AS MATERIALIZED (
    SELECT id, norm FROM note_candidates(
        :workspace_id, :notebook_id, CAST(:wanted AS tsquery), CAST(:queries AS tsquery[]),
        CAST(:weights AS float8[]), :k1, :b, :mean_length, CAST(:pool AS integer))
),
scores AS (
    SELECT chunk.id, chunk.note_id, chunk.content,
           sum(idf * cardinality(found.positions) * (CAST(:k1 AS float8) + 1)
               / (cardinality(found.positions) + norm)) AS score
    FROM candidates
    JOIN note_chunks AS chunk USING (id)
    -- Only the question's terms are made rows: they are marked, and the others left out.
    CROSS JOIN LATERAL unnest(ts_filter(
        setweight(chunk.terms, 'A', CAST(:terms AS text[])), CAST(ARRAY['a'] AS "char"[])
    )) AS found
    JOIN weights ON weights.term = found.lexeme
    GROUP BY chunk.id
)
