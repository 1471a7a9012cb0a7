-- The CTE `scores`: the BM25 score of the chunks of a workspace that hold any of the terms.
--
-- terms, queries: arrays of the same length. k1, b: BM25's. pool: how many chunks are scored
-- exactly.
--
-- `note_postings`, a function of the database, reads the GIN index once for each term, so every
-- chunk that has any of them is there and the postings alone give the terms' document frequencies.
-- How often a term occurs in a chunk is known only by reading the chunk's terms, which is slow:
-- that is done for the `pool` chunks that would be best if every term occurred once.
WITH collection AS (
    SELECT CAST(count(*) AS float8) AS size, CAST(avg(length) AS float8) AS mean_length
    FROM note_chunks
    WHERE workspace_id = :workspace_id
      AND (CAST(:notebook_id AS uuid) IS NULL OR notebook_id = :notebook_id)
),
postings AS MATERIALIZED (
    SELECT term, id, length FROM note_postings(:workspace_id, :notebook_id, :terms, :queries)
),
weights AS MATERIALIZED (
    SELECT term, ln(1 + (size - count(*) + 0.5) / (count(*) + 0.5)) AS idf
    FROM postings, collection
    GROUP BY term, size
),
candidates AS MATERIALIZED (
    SELECT postings.id, :k1 * (1 - :b + :b * length / mean_length) AS norm
    FROM postings JOIN weights USING (term), collection
    GROUP BY postings.id, length, mean_length
    ORDER BY sum(idf) / (1 + :k1 * (1 - :b + :b * length / mean_length)) DESC, postings.id
    LIMIT :pool
),
scores AS (
    SELECT chunk.id, chunk.note_id, chunk.content,
           sum(idf * cardinality(found.positions) * (:k1 + 1)
               / (cardinality(found.positions) + norm)) AS score
    FROM candidates
    JOIN note_chunks AS chunk USING (id)
    CROSS JOIN LATERAL unnest(chunk.terms) AS found
    JOIN weights ON weights.term = found.lexeme
    GROUP BY chunk.id
)
