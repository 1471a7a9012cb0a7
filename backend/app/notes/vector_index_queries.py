"""The SQL of indexes of vectors, for psycopg."""

from app.platform.db.statements import in_list
from app.platform.jobs.status import UNFINISHED

# What an index takes while it is made, in bytes: the signs of a vector, one bit each, and its
# neighbours. Measured with 1,024 numbers a vector.
_NEIGHBOURS = 1_000
# Beyond it pgvector goes on with the index on disk, more slowly.
_MAX_MEMORY = 2 * 2**30

# Workspaces with at least so many chunks of the model, and the length of most of those looked at.
# What is counted first stands in an index alone; no more than needed is read of any workspace.
LARGE = """
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
"""
COUNT = """
SELECT count(*) FROM note_embeddings
WHERE workspace_id = %(workspace_id)s AND model = %(model)s AND dimensions = %(dimensions)s
"""
# By name: whether it serves searches, and its bytes.
INDEXES = """
SELECT c.relname, i.indisvalid, pg_relation_size(c.oid)
FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
WHERE i.indrelid = to_regclass('note_embeddings') AND starts_with(c.relname, %(prefix)s)
"""
# Whether this user may make indexes, and the version of pgvector; no row without pgvector.
ABILITY = """
SELECT pg_has_role(c.relowner, 'USAGE'),
       CAST(string_to_array(e.extversion, '.') AS integer[]) >= ARRAY[0, 8]
FROM pg_class c, pg_extension e
WHERE c.oid = to_regclass('note_embeddings') AND e.extname = 'vector'
"""
# Those whose index is on its way, or failed within the hour.
TRIED = f"""
SELECT workspace_id FROM jobs
WHERE kind = %(kind)s AND workspace_id = ANY(%(workspaces)s)
  AND (status IN ({in_list(UNFINISHED)})
       OR status <> 'succeeded' AND finished_at > now() - interval '1 hour')
"""
# One index at a time: each takes its memory. Held by the session until it ends.
ALONE = "SELECT pg_try_advisory_lock('note_embeddings'::regclass::int, 0)"
# Nothing limits what takes minutes, but a maker that is gone ends it.
SESSION = """
SELECT set_config('statement_timeout', '0', false), set_config('lock_timeout', '0', false),
       set_config('client_connection_check_interval', '5s', false)
"""
MEMORY = "SELECT set_config('maintenance_work_mem', %(kilobytes)s::text || 'kB', false)"
SERIALLY = "SET max_parallel_maintenance_workers = 0"
DROP = "DROP INDEX CONCURRENTLY IF EXISTS {name}"
# The signs of a vector are enough to find some hundred that are near.
CREATE = """
CREATE INDEX CONCURRENTLY {name} ON note_embeddings
USING hnsw ((binary_quantize(embedding)::bit({dimensions})) bit_hamming_ops)
WHERE workspace_id = {workspace_id} AND model = {model} AND dimensions = {dimensions}
"""


def kilobytes(vectors: int, dimensions: int) -> int:
    """Of memory to make an index in."""
    return min(_MAX_MEMORY, 2**26 + vectors * (_NEIGHBOURS + dimensions // 8)) // 1024
