-- Events of verdicts.

-- name: event
v.xid::text::bigint AS xid, v.id, v.workspace_id, v.evaluation_id, v.status,
    v.refinement_id, extract(epoch FROM clock_timestamp() - v.created_at)::float8 AS lag

-- name: delivered
-- ago: seconds since each of `ids` was delivered. The first reader counts.
UPDATE verdict_events v SET delivered_at = clock_timestamp() - make_interval(secs => d.ago)
FROM unnest(%(ids)s::bigint[], %(ago)s::float8[]) AS d(id, ago)
WHERE v.id = d.id AND v.workspace_id = %(workspace_id)s AND v.delivered_at IS NULL

-- name: event_horizon
SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint

-- name: replay
SELECT v.xid::text::bigint AS xid, v.id, v.workspace_id, v.evaluation_id, v.status,
       v.refinement_id
FROM verdict_events v
WHERE v.workspace_id = :workspace_id
  AND (CAST(:evaluation_id AS uuid) IS NULL OR v.evaluation_id = :evaluation_id)
  AND (v.xid, v.id) > (CAST(CAST(:after_xid AS text) AS xid8), :after_id)
  AND ((v.xid, v.id) <= (CAST(CAST(:until_xid AS text) AS xid8), :until_id)
       OR pg_visible_in_snapshot(v.xid, CAST(CAST(:seen AS text) AS pg_snapshot)))
ORDER BY v.xid, v.id LIMIT :limit

-- name: place
-- Where a reader goes on that has had an event of a transaction yet to come: one of the cluster out of
-- whose dump the database was made. Transactions count anew there, and ids go on.
SELECT first.xid, first.id
FROM pg_current_snapshot() AS s
LEFT JOIN LATERAL (
    SELECT v.xid::text::bigint AS xid, v.id - 1 AS id
    FROM verdict_events v
    WHERE v.workspace_id = :workspace_id
      AND (CAST(:evaluation_id AS uuid) IS NULL OR v.evaluation_id = :evaluation_id)
      AND v.id > :id AND v.xid < pg_snapshot_xmax(s)
    ORDER BY v.xid, v.id LIMIT 1
) AS first ON true
WHERE CAST(CAST(:xid AS text) AS xid8) > pg_snapshot_xmax(s)

-- name: status_counts
SELECT status, count(*) AS evaluations,
    extract(epoch FROM now() - min(created_at) FILTER (
        WHERE status IN ({unfinished})))::float8 AS oldest_unfinished
FROM qa_evaluations WHERE workspace_id = :workspace_id GROUP BY status
