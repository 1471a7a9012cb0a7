-- Adds spans to their traces, which are open then: see the parameters of settling in
-- app/integrations/traces/queries.py. A trace that has been settled is opened anew. Returns how many of the
-- spans belong to traces that have too many, or too much text, and are not to be kept.
WITH given AS (
    SELECT * FROM jsonb_to_recordset(%(traces)s::jsonb) AS g(
        trace_id text, service text, name text, rooted boolean, spans int, content_bytes bigint)
    ORDER BY trace_id
), opened AS (
    INSERT INTO traces AS t (
        workspace_id, trace_id, service, name, rooted, spans, content_bytes, settle_at)
    SELECT %(workspace_id)s, trace_id, service, name, rooted, spans, content_bytes,
        now() + CASE WHEN rooted THEN %(settle)s ELSE %(max_wait)s END * interval '1 second'
    FROM given
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
SELECT COALESCE(sum(given.spans), 0)::int FROM opened JOIN given USING (trace_id)
WHERE opened.spans > %(max_spans)s OR opened.content_bytes > %(max_bytes)s
