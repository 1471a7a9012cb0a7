"""SQL that compares a replica with its primary."""

# Asked before the replica is, so that what has come since counts as missing.
PRIMARY = b"SELECT pg_current_wal_insert_lsn()::text, clock_timestamp()"
# Seconds. The time of the last commit is by the primary's clock, and so is `now`. NULL for a server
# that is no replica, and one that has not replayed a commit since it started.
REPLICA = b"""
SELECT CASE
    WHEN NOT pg_is_in_recovery() THEN NULL
    WHEN pg_last_wal_replay_lsn() >= CAST(%(log)s AS pg_lsn) THEN 0
    ELSE EXTRACT(epoch FROM greatest(CAST(%(now)s AS timestamptz), committed) - committed)
END::float8
FROM (SELECT pg_last_xact_replay_timestamp() AS committed) AS last
"""
