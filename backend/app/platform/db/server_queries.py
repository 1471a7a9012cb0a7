"""SQL that reads the state of the PostgreSQL server, with the rights that every role has."""

# Connections of all databases, how many may be open, and the size of this database in bytes.
SERVER_STATE = b"""
SELECT (SELECT sum(numbackends)::int FROM pg_stat_database),
    current_setting('max_connections')::int, pg_database_size(current_database())
"""
