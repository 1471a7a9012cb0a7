-- The partitioned tables and their months, from this one until `ahead` later, that have no partition.
-- Read from the catalogs alone: the role of workers may not use the schema `partitions`.
SELECT p.relname, month::date
FROM pg_class p, generate_series(
    date_trunc('month', now() AT TIME ZONE 'UTC'),
    date_trunc('month', now() AT TIME ZONE 'UTC') + make_interval(months => %(ahead)s),
    interval '1 month') AS month
WHERE p.relkind = 'p' AND p.relnamespace = 'public'::regnamespace AND NOT EXISTS (
    SELECT FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = p.oid AND c.relname = p.relname || to_char(month, '_YYYY_MM'))
ORDER BY month, p.relname
