-- Traces, for psycopg.

-- name: count
-- counts: JSON, one object for each CountKey, without a day for today.
INSERT INTO trace_counts AS c (workspace_id, day, name, count)
SELECT workspace_id, COALESCE(day, (now() AT TIME ZONE 'UTC')::date), name, sum(count)
FROM jsonb_to_recordset(%(counts)s::jsonb) AS g(
    workspace_id uuid, day date, name text, count bigint)
GROUP BY 1, 2, 3 HAVING sum(count) <> 0 ORDER BY 1, 2, 3
ON CONFLICT (workspace_id, day, name) DO UPDATE SET count = c.count + excluded.count

-- name: room
-- New traces that a workspace may still have unsettled.
SELECT %(max_unsettled)s - count(*)::int FROM (
    SELECT FROM traces WHERE workspace_id = %(workspace_id)s AND settle_at IS NOT NULL
    LIMIT %(max_unsettled)s
) unsettled

-- name: claim_due
-- Of each workspace an equal part, the first due first. Two dispatchers share what is due: the rows
-- stay locked until the answers are committed.
WITH RECURSIVE workspace AS (
    (SELECT workspace_id FROM traces WHERE settle_at IS NOT NULL ORDER BY workspace_id LIMIT 1)
    UNION ALL
    SELECT (SELECT workspace_id FROM traces t
            WHERE settle_at IS NOT NULL AND t.workspace_id > w.workspace_id
            ORDER BY workspace_id LIMIT 1)
    FROM workspace w WHERE w.workspace_id IS NOT NULL
), due AS MATERIALIZED (
    SELECT workspace_id FROM workspace w
    WHERE EXISTS (SELECT FROM traces t WHERE t.workspace_id = w.workspace_id AND settle_at <= now())
)
SELECT first.* FROM due CROSS JOIN LATERAL (
    SELECT workspace_id, trace_id, outcome, (settled_at AT TIME ZONE 'UTC')::date, content_bytes,
        members, "outer"
    FROM traces t WHERE t.workspace_id = due.workspace_id AND settle_at <= now()
    ORDER BY settle_at LIMIT (SELECT greatest(%(limit)s / count(*), 1) FROM due)
    FOR UPDATE SKIP LOCKED
) first

-- name: spans_of
SELECT t.workspace_id, t.trace_id, s.span_id, s.parent_id, s.started_ns, s.kind, s.content
FROM unnest(%(workspaces)s::uuid[], %(traces)s::text[]) AS t(workspace_id, trace_id)
CROSS JOIN LATERAL (
    SELECT * FROM trace_spans
    WHERE workspace_id = t.workspace_id AND trace_id = t.trace_id OFFSET 0
) s

-- name: finish
-- finished: JSON, an object for each trace. Of what became an answer, texts are kept with the
-- answer only; of what has nothing to do with a model, nothing is.
WITH finished AS (
    SELECT * FROM jsonb_to_recordset(%(finished)s::jsonb) AS f(
        workspace_id uuid, trace_id text, outcome text, answers int, members text[],
        "outer" text[], consumed text[], spans_kept boolean)
), done AS (
    DELETE FROM trace_spans s USING finished f
    WHERE s.workspace_id = f.workspace_id AND s.trace_id = f.trace_id
      AND s.span_id = ANY(f.consumed)
), gone AS (
    DELETE FROM traces t USING finished f
    WHERE t.workspace_id = f.workspace_id AND t.trace_id = f.trace_id
      AND f.outcome = '{not_genai}'
)
UPDATE traces t SET settle_at = NULL, settled_at = now(), outcome = f.outcome,
    answers = t.answers + f.answers, members = t.members || f.members,
    "outer" = t."outer" || f."outer", spans_kept = f.spans_kept
FROM finished f
WHERE t.workspace_id = f.workspace_id AND t.trace_id = f.trace_id
  AND f.outcome <> '{not_genai}'

-- name: with_old_spans
-- Retention, each a batch.
settle_at IS NULL AND spans_kept
      AND settled_at < now() - make_interval(hours => %(hours)s)

-- name: drop_spans
WITH old AS (
    SELECT workspace_id, trace_id FROM traces
    WHERE {with_old_spans}
    ORDER BY settled_at LIMIT %(limit)s FOR UPDATE SKIP LOCKED
), gone AS (
    DELETE FROM trace_spans s USING old
    WHERE s.workspace_id = old.workspace_id AND s.trace_id = old.trace_id
)
UPDATE traces t SET spans_kept = false FROM old
WHERE t.workspace_id = old.workspace_id AND t.trace_id = old.trace_id

-- name: count_spans
SELECT count(*) FROM traces WHERE {with_old_spans}

-- name: delete_traces
WITH old AS (
    SELECT workspace_id, trace_id FROM traces
    WHERE settle_at IS NULL AND created_at < now() - make_interval(days => %(days)s)
    ORDER BY created_at LIMIT %(limit)s FOR UPDATE SKIP LOCKED
)
DELETE FROM traces t USING old
WHERE t.workspace_id = old.workspace_id AND t.trace_id = old.trace_id

-- name: count_old
SELECT count(*) FROM traces
WHERE settle_at IS NULL AND created_at < now() - make_interval(days => %(days)s)

-- name: counts
-- What a workspace sees.
SELECT name, sum(count)::bigint FROM trace_counts
WHERE workspace_id = %(workspace_id)s
  AND day > (now() AT TIME ZONE 'UTC')::date - %(days)s::int
GROUP BY name ORDER BY name

-- name: newest
SELECT trace_id, outcome, service, name, spans, answers, created_at, settle_at
FROM traces
WHERE workspace_id = %(workspace_id)s AND outcome IS NOT NULL
  AND (%(outcome)s::text IS NULL OR outcome = %(outcome)s)
ORDER BY created_at DESC, trace_id LIMIT %(limit)s
