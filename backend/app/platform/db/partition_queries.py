"""SQL on month partitions. That of a month is `partitions.NAME_YYYY_MM`; a row whose month has none
goes to `partitions.NAME_default`."""

from app.platform.db.statements import load_sql

PARTITIONS = load_sql(__package__, "partitions").encode()
MISSING = load_sql(__package__, "missing_partitions").encode()
ADD = b"SELECT add_month_partition(%(table)s::text::regclass, %(month)s)"
TABLES = b"""
SELECT relname FROM pg_class WHERE relkind = 'p' AND relnamespace = 'public'::regnamespace
"""
DROP = b"SELECT drop_month_partition(%(table)s::text::regclass, %(month)s)"
TO_ANALYZE = b"""
SELECT s.relname FROM pg_stat_user_tables s JOIN pg_class c ON c.oid = s.relid
WHERE c.relkind = 'p' AND s.schemaname = 'public'
  AND COALESCE(s.last_analyze, '-infinity') < now() - interval '1 day'
"""
# Rows of the default partition, or a sample of all of them, may take longer than a statement of the
# hot path ever should.
LET_TAKE_LONG = b"SET LOCAL statement_timeout = '5min'"
ANALYZE = b"SELECT analyze_partitioned(%(table)s::text::regclass)"
