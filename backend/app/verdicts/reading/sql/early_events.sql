-- What has become visible since the snapshot `seen` was taken: of transactions that began later,
-- and of those that were open. `snapshot` is the present one; a row without event if there is none.
WITH now AS MATERIALIZED (SELECT pg_current_snapshot() AS snapshot),
seen AS MATERIALIZED (SELECT %(seen)s::text::pg_snapshot AS snapshot),
open AS MATERIALIZED (SELECT pg_snapshot_xip(snapshot) AS xid FROM seen),
events AS (
    SELECT {event} FROM verdict_events v
    WHERE v.xid >= (SELECT pg_snapshot_xmax(snapshot) FROM seen)
      AND v.xid < (SELECT pg_snapshot_xmax(snapshot) FROM now)
    UNION ALL
    SELECT {event} FROM open JOIN verdict_events v ON v.xid = open.xid
)
SELECT now.snapshot::text, events.* FROM now LEFT JOIN events ON true ORDER BY xid, id
