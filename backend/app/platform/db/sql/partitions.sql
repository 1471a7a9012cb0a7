-- The partitions, oldest first: table, first day of the month (NULL for the default partition),
-- rows as autovacuum last counted them, and bytes with indexes. Those of the default partition, which
-- is too small for autovacuum, as they were written and deleted.
SELECT p.relname AS table, to_date(substring(c.relname FROM '_(\d+_\d+)$'), 'YYYY_MM') AS month,
    CASE WHEN c.relname = p.relname || '_default' THEN pg_stat_get_live_tuples(c.oid)
        ELSE greatest(c.reltuples, 0)::bigint END AS rows,
    pg_total_relation_size(c.oid) AS bytes
FROM pg_inherits i
JOIN pg_class p ON p.oid = i.inhparent AND p.relkind = 'p'
    AND p.relnamespace = 'public'::regnamespace
JOIN pg_class c ON c.oid = i.inhrelid
ORDER BY month NULLS LAST, p.relname
