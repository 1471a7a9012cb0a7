-- The spans themselves, without those of answers that were made already and of traces that have too
-- many or were not opened. What was sent before changes nothing. Returns nothing; the count of rows is that of new ones.
INSERT INTO trace_spans (workspace_id, trace_id, span_id, parent_id, kind, started_ns, content)
SELECT t.workspace_id, g.trace_id, g.span_id, g.parent_id, g.kind, g.started_ns, g.content
FROM jsonb_to_recordset(%(spans)s::jsonb) AS g(
    trace_id text, span_id text, parent_id text, kind text, started_ns bigint, content jsonb)
CROSS JOIN LATERAL (
    -- OFFSET: each span looks its trace up. A plan that is made while there are few traces may else
    -- go through all of the workspace and keep doing so.
    SELECT * FROM traces WHERE workspace_id = %(workspace_id)s AND trace_id = g.trace_id OFFSET 0
) t
WHERE t.settle_at IS NOT NULL AND t.spans <= %(max_spans)s AND t.content_bytes <= %(max_bytes)s
  AND g.span_id <> ALL (t.members)
ON CONFLICT DO NOTHING
