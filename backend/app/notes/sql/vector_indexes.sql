-- Indexes of vectors, for psycopg.

-- name: large
-- Workspaces with at least so many chunks of the model, and the length of most of those looked at.
-- What is counted first stands in an index alone; no more than needed is read of any workspace.
SELECT workspace.id, found.dimensions
FROM workspaces AS workspace CROSS JOIN LATERAL (
    SELECT dimensions, count(*) AS vectors FROM (
        SELECT dimensions FROM note_embeddings
        WHERE workspace_id = workspace.id AND model = %(model)s AND dimensions IS NOT NULL
        LIMIT %(at_least)s) AS counted
    GROUP BY dimensions ORDER BY vectors DESC LIMIT 1) AS found
WHERE EXISTS (SELECT FROM note_embeddings WHERE workspace_id = workspace.id
              OFFSET %(at_least)s - 1)
  AND found.vectors >= %(at_least)s
ORDER BY workspace.id

-- name: mean
-- How many there are, and their mean, rounded: it stands in the definition of the index.
SELECT count(*), CAST(CAST(CAST(avg(embedding) AS halfvec) AS vector) AS text) FROM note_embeddings
WHERE workspace_id = %(workspace_id)s AND model = %(model)s AND dimensions = %(dimensions)s

-- name: indexes
-- By name: whether it serves searches, and its bytes.
SELECT c.relname, i.indisvalid, pg_relation_size(c.oid)
FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
WHERE i.indrelid = to_regclass('note_embeddings') AND starts_with(c.relname, %(prefix)s)

-- name: ability
-- Whether this user may make indexes, and the version of pgvector; no row without pgvector.
SELECT pg_has_role(c.relowner, 'USAGE'),
       CAST(string_to_array(e.extversion, '.') AS integer[]) >= ARRAY[0, 8]
FROM pg_class c, pg_extension e
WHERE c.oid = to_regclass('note_embeddings') AND e.extname = 'vector'

-- name: tried
-- Those whose index is on its way, or failed within the hour.
SELECT workspace_id FROM jobs
WHERE kind = %(kind)s AND workspace_id = ANY(%(workspaces)s)
  AND (status IN ({unfinished})
       OR status <> 'succeeded' AND finished_at > now() - interval '1 hour')

-- name: session
-- Nothing limits what takes minutes, but a maker that is gone ends it.
SELECT set_config('statement_timeout', '0', false), set_config('lock_timeout', '0', false),
       set_config('client_connection_check_interval', '5s', false)

-- name: alone
-- One index at a time: each takes its memory. Held by the session until it ends.
SELECT pg_try_advisory_lock('note_embeddings'::regclass::int, 0)

-- name: memory
SELECT set_config('maintenance_work_mem', %(kilobytes)s::text || 'kB', false)

-- name: serially
SET max_parallel_maintenance_workers = 0
