-- What is settled and newer than the cursor (xid, id), oldest first, at most `limit`, and the first
-- event above the horizon, which a transaction that is still open might yet precede.
--
-- `delivered`: visible in the snapshot `seen`, see held_back.py. Events of the future are those of
-- another cluster, out of whose dump the database was made.
WITH now AS MATERIALIZED (
    SELECT pg_snapshot_xmin(s) AS horizon, pg_snapshot_xmax(s) AS future
    FROM pg_current_snapshot() s
)
(SELECT {event}, (SELECT horizon::text::bigint FROM now) AS horizon, true AS settled,
     COALESCE(pg_visible_in_snapshot(v.xid, %(seen)s::text::pg_snapshot), false) AS delivered
 FROM verdict_events v
 WHERE (v.xid, v.id) > (%(xid)s::text::xid8, %(id)s) AND v.xid < (SELECT horizon FROM now)
 ORDER BY v.xid, v.id LIMIT %(limit)s)
UNION ALL
(SELECT {event}, (SELECT horizon::text::bigint FROM now), false, false
 FROM verdict_events v
 WHERE (v.xid, v.id) > (%(xid)s::text::xid8, %(id)s)
   AND v.xid >= (SELECT horizon FROM now) AND v.xid < (SELECT future FROM now)
 ORDER BY v.xid, v.id LIMIT 1)
ORDER BY 1, 2
