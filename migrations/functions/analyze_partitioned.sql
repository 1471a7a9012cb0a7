-- Renews what the planner knows of a partitioned table as a whole; of its partitions the autovacuum
-- daemon knows. Runs as the tables' owner, which the dispatcher need not be.
CREATE OR REPLACE FUNCTION analyze_partitioned(parent regclass) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF EXISTS (SELECT FROM pg_partitioned_table WHERE partrelid = parent) THEN
        EXECUTE format(CASE WHEN current_setting('server_version_num')::int >= 180000
            THEN 'ANALYZE ONLY %s' ELSE 'ANALYZE %s' END, parent);
    END IF;
END $$
