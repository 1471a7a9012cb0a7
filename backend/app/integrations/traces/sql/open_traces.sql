-- Adds spans to their traces, which are open then: see the parameters of settling in
-- app/integrations/traces/intake.py. A trace that has been settled is opened anew. No more than
-- `room` are opened. Returns how many were, and how many spans are not to be kept: those of traces
-- that have too many spans or too much text, and those of traces beyond the room.
WITH given AS MATERIALIZED (
    SELECT g.*, open.yes IS NULL AS opens,
        count(*) FILTER (WHERE open.yes IS NULL) OVER (ORDER BY g.trace_id) <= %(room)s
            OR open.yes IS NOT NULL AS has_room
    FROM jsonb_to_recordset(%(traces)s::jsonb) AS g(
        trace_id text, service text, name text, rooted boolean, spans int, content_bytes bigint)
    LEFT JOIN LATERAL (
        -- OFFSET: see insert_spans.sql.
        SELECT settle_at IS NOT NULL AS yes FROM traces
        WHERE workspace_id = %(workspace_id)s AND trace_id = g.trace_id OFFSET 0
    ) open ON open.yes
    ORDER BY g.trace_id
), opened AS (
    INSERT INTO traces AS t (
        workspace_id, trace_id, service, name, rooted, spans, content_bytes, settle_at)
    SELECT %(workspace_id)s, trace_id, service, name, rooted, spans, content_bytes,
        now() + CASE WHEN rooted THEN %(settle)s ELSE %(max_wait)s END * interval '1 second'
    FROM given WHERE has_room
    ON CONFLICT (workspace_id, trace_id) DO UPDATE SET
        service = COALESCE(NULLIF(t.service, ''), excluded.service),
        name = CASE WHEN excluded.rooted OR t.name = '' THEN excluded.name ELSE t.name END,
        rooted = t.rooted OR excluded.rooted,
        spans = t.spans + excluded.spans,
        content_bytes = t.content_bytes + excluded.content_bytes,
        opened_at = CASE WHEN t.settle_at IS NULL THEN now() ELSE t.opened_at END,
        spans_kept = true,
        settle_at = LEAST(
            CASE WHEN t.settle_at IS NULL THEN now() ELSE t.opened_at END
                + %(max_wait)s * interval '1 second',
            CASE WHEN t.rooted OR excluded.rooted
                THEN now() + %(settle)s * interval '1 second' ELSE 'infinity' END)
    RETURNING trace_id, spans, content_bytes
)
SELECT count(*) FILTER (WHERE given.opens AND given.has_room)::int,
    COALESCE(sum(given.spans) FILTER (
        WHERE opened.spans > %(max_spans)s OR opened.content_bytes > %(max_bytes)s), 0)::int,
    COALESCE(sum(given.spans) FILTER (WHERE NOT given.has_room), 0)::int
FROM given LEFT JOIN opened USING (trace_id)
