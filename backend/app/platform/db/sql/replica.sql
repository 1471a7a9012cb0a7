-- A replica beside its primary.

-- name: primary
-- Asked before the replica is, so that what has come since counts as missing. A replica has the
-- system identifier of its primary; everybody may read it unless that was revoked.
SELECT pg_current_wal_insert_lsn()::text AS log, clock_timestamp() AS now,
       system_identifier AS system, current_database()::text AS database
FROM pg_control_system()

-- name: replica
-- Whether it is a replica of this primary, in the same database, and its age in seconds. The time of
-- the last commit is by the primary's clock, and so is `now`. NULL for one that has not replayed a
-- commit since it started.
SELECT pg_is_in_recovery() AND system_identifier = %(system)s
           AND current_database() = %(database)s,
    CASE
        WHEN pg_last_wal_replay_lsn() >= CAST(%(log)s AS pg_lsn) THEN 0
        ELSE EXTRACT(epoch FROM greatest(CAST(%(now)s AS timestamptz), committed) - committed)
    END::float8
FROM pg_control_system(), (SELECT pg_last_xact_replay_timestamp() AS committed) AS last
