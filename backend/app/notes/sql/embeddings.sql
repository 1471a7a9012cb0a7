-- Vectors of chunks.

-- name: near
-- The chunks of other dimensions are of a model that was replaced under the same name; comparing
-- them would be an error.
WITH near AS MATERIALIZED (
    SELECT chunk_id, distance FROM nearest_embeddings(
        :workspace_id, CAST(:notebook_id AS uuid), :model, :dimensions, :vector,
        :index_name, :candidates, :pool)
)

-- name: nearest
{near}, best AS (
    SELECT DISTINCT ON (chunk.note_id) chunk.note_id, chunk.id, near.distance
    FROM near JOIN note_chunks AS chunk ON chunk.id = near.chunk_id
    WHERE near.distance <= :farthest
    ORDER BY chunk.note_id, near.distance, chunk.id
), first AS MATERIALIZED (
    SELECT * FROM best ORDER BY distance, note_id LIMIT :limit
)
SELECT note.id AS note_id, note.title, note.content_text, note.category, note.tags,
       chunk.id AS chunk_id, chunk.content, 1 - first.distance AS cosine,
       (SELECT count(*) FROM near WHERE distance <= :farthest) AS looked_up
FROM first
JOIN note_chunks AS chunk ON chunk.id = first.id
JOIN notes AS note ON note.id = first.note_id
ORDER BY first.distance, note.id

-- name: nearest_chunks
{near}
SELECT chunk.id AS chunk_id, chunk.note_id, note.title, chunk.content,
       1 - near.distance AS cosine
FROM near JOIN note_chunks AS chunk ON chunk.id = near.chunk_id
JOIN notes AS note ON note.id = chunk.note_id
WHERE near.distance <= :farthest
ORDER BY near.distance, chunk.id LIMIT :limit

-- name: limit_time
SELECT set_config('statement_timeout', :milliseconds, true)

-- name: lacking
-- Chunks that have no vector yet stand in a queue, which triggers keep; those of another model are
-- found by index. So a new note costs no look at all chunks.
SELECT chunk.id, note.title, chunk.content
FROM note_chunks AS chunk JOIN notes AS note ON note.id = chunk.note_id
WHERE chunk.id = ANY (ARRAY(
    (SELECT chunk_id FROM unembedded_chunks WHERE workspace_id = :workspace_id LIMIT :limit)
    UNION
    (SELECT chunk_id FROM note_embeddings
     WHERE workspace_id = :workspace_id AND model < :model LIMIT :limit)
    UNION
    (SELECT chunk_id FROM note_embeddings
     WHERE workspace_id = :workspace_id AND model > :model LIMIT :limit)))
ORDER BY chunk.id LIMIT :limit

-- name: count_lacking
SELECT (SELECT count(*) FROM unembedded_chunks WHERE workspace_id = :workspace_id)
     + (SELECT count(*) FROM note_embeddings WHERE workspace_id = :workspace_id AND model < :model)
     + (SELECT count(*) FROM note_embeddings WHERE workspace_id = :workspace_id AND model > :model)

-- name: store
-- A chunk that an import replaces meanwhile is left out, or held until this commits.
INSERT INTO note_embeddings (chunk_id, workspace_id, notebook_id, model, dimensions, embedding)
SELECT chunk.id, chunk.workspace_id, chunk.notebook_id, :model,
       vector_dims(CAST(given.embedding AS vector)), CAST(given.embedding AS vector)
FROM unnest(CAST(:ids AS uuid[]), CAST(:vectors AS text[])) AS given (id, embedding)
JOIN note_chunks AS chunk ON chunk.id = given.id
WHERE chunk.workspace_id = :workspace_id
ORDER BY chunk.id
FOR KEY SHARE OF chunk
ON CONFLICT (chunk_id) DO UPDATE
SET model = excluded.model, dimensions = excluded.dimensions, embedding = excluded.embedding

-- name: coverage
SELECT stored.chunks + (SELECT count(*) FROM unembedded_chunks WHERE workspace_id = :workspace_id)
           AS chunks,
       embedded, refused
FROM (
    SELECT count(*) AS chunks, count(dimensions) FILTER (WHERE model = :model) AS embedded,
           count(*) FILTER (WHERE model = :model AND dimensions IS NULL) AS refused
    FROM note_embeddings WHERE workspace_id = :workspace_id
) AS stored

-- name: workspaces_lacking
-- From here on for psycopg. A job that failed, or that somebody cancelled, is not put in again by
-- itself for an hour: a wrong key would fill the list of jobs. One that used up its tries on a
-- server that was away or busy has done a part, and goes on after ten minutes.
SELECT workspace.id FROM workspaces AS workspace
WHERE (EXISTS (SELECT FROM unembedded_chunks WHERE workspace_id = workspace.id)
       OR EXISTS (SELECT FROM note_embeddings
                  WHERE workspace_id = workspace.id AND model < %(model)s)
       OR EXISTS (SELECT FROM note_embeddings
                  WHERE workspace_id = workspace.id AND model > %(model)s))
  AND NOT EXISTS (
    SELECT FROM jobs
    WHERE jobs.workspace_id = workspace.id AND kind = %(kind)s AND dedupe_key = %(dedupe_key)s
      AND (status IN ({unfinished})
           OR status <> 'succeeded' AND finished_at > now() -
              make_interval(mins => CASE WHEN error LIKE 'transient:%%' THEN 10 ELSE 60 END)))

-- name: stores_vectors
-- Whether vectors can be stored; no row before the table is there.
SELECT atttypid <> 'text'::regtype FROM pg_attribute
WHERE attrelid = to_regclass('public.note_embeddings') AND attname = 'embedding'
