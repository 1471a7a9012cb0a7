"""SQL on traces. Times are of the database clock.

Writers lock traces first, in the order of their ids, and counts last: two writers never
wait for each other in a circle.
"""

from app.platform.db.statements import load_sql

_PACKAGE = "app.integrations.traces"

OPEN_TRACES = load_sql(_PACKAGE, "open_traces").encode()
INSERT_SPANS = load_sql(_PACKAGE, "insert_spans").encode()

# counts: JSON, one object for each CountKey, without a day for today.
COUNT = b"""
INSERT INTO trace_counts AS c (workspace_id, day, name, count)
SELECT workspace_id, COALESCE(day, (now() AT TIME ZONE 'UTC')::date), name, sum(count)
FROM jsonb_to_recordset(%(counts)s::jsonb) AS g(
    workspace_id uuid, day date, name text, count bigint)
GROUP BY 1, 2, 3 HAVING sum(count) <> 0 ORDER BY 1, 2, 3
ON CONFLICT (workspace_id, day, name) DO UPDATE SET count = c.count + excluded.count
"""

# Two dispatchers share what is due: the rows stay locked until the answers are committed.
CLAIM_DUE = b"""
SELECT workspace_id, trace_id, outcome, (settled_at AT TIME ZONE 'UTC')::date, members, "outer"
FROM traces
WHERE settle_at <= now() ORDER BY settle_at LIMIT %(limit)s FOR UPDATE SKIP LOCKED
"""
SPANS_OF = b"""
SELECT span_id, parent_id, started_ns, kind, content FROM trace_spans
WHERE workspace_id = %(workspace_id)s AND trace_id = %(trace_id)s
ORDER BY started_ns, span_id LIMIT %(limit)s
"""
# Of what became an answer, texts are kept with the answer only.
FINISH = b"""
WITH done AS (
    DELETE FROM trace_spans
    WHERE workspace_id = %(workspace_id)s AND trace_id = %(trace_id)s
      AND span_id = ANY(%(consumed)s)
)
UPDATE traces SET settle_at = NULL, settled_at = now(), outcome = %(outcome)s,
    answers = answers + %(answers)s, members = members || %(members)s::text[],
    "outer" = "outer" || %(outer)s::text[], spans_kept = %(spans_kept)s
WHERE workspace_id = %(workspace_id)s AND trace_id = %(trace_id)s
"""
DELETE_TRACE = b"""
DELETE FROM traces WHERE workspace_id = %(workspace_id)s AND trace_id = %(trace_id)s
"""

# Retention, each a batch.
_WITH_OLD_SPANS = """settle_at IS NULL AND spans_kept
      AND settled_at < now() - make_interval(hours => %(hours)s)"""
DROP_SPANS = f"""
WITH old AS (
    SELECT workspace_id, trace_id FROM traces
    WHERE {_WITH_OLD_SPANS}
    ORDER BY settled_at LIMIT %(limit)s FOR UPDATE SKIP LOCKED
), gone AS (
    DELETE FROM trace_spans s USING old
    WHERE s.workspace_id = old.workspace_id AND s.trace_id = old.trace_id
)
UPDATE traces t SET spans_kept = false FROM old
WHERE t.workspace_id = old.workspace_id AND t.trace_id = old.trace_id
""".encode()
COUNT_SPANS = f"SELECT count(*) FROM traces WHERE {_WITH_OLD_SPANS}".encode()
DELETE_TRACES = b"""
WITH old AS (
    SELECT workspace_id, trace_id FROM traces
    WHERE settle_at IS NULL AND created_at < now() - make_interval(days => %(days)s)
    ORDER BY created_at LIMIT %(limit)s FOR UPDATE SKIP LOCKED
)
DELETE FROM traces t USING old
WHERE t.workspace_id = old.workspace_id AND t.trace_id = old.trace_id
"""

COUNT_OLD = b"""
SELECT count(*) FROM traces
WHERE settle_at IS NULL AND created_at < now() - make_interval(days => %(days)s)
"""

# What a workspace sees.
COUNTS = b"""
SELECT name, sum(count)::bigint FROM trace_counts
WHERE workspace_id = %(workspace_id)s
  AND day > (now() AT TIME ZONE 'UTC')::date - %(days)s::int
GROUP BY name ORDER BY name
"""
NEWEST = b"""
SELECT trace_id, outcome, service, name, spans, answers, created_at, settle_at
FROM traces
WHERE workspace_id = %(workspace_id)s AND outcome IS NOT NULL
  AND (%(outcome)s::text IS NULL OR outcome = %(outcome)s)
ORDER BY created_at DESC, trace_id LIMIT %(limit)s
"""
