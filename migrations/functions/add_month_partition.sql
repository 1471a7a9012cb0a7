-- Adds the partition of the UTC month that begins on `month` to a table that is partitioned by a
-- UUIDv7; false if it is there already. Rows of that month that went to the default partition,
-- because nobody had added theirs, are moved in the same transaction.
--
-- Runs as the tables' owner, which the dispatcher need not be. A writer waits for it as long as
-- lock_timeout at most; whoever gets that error tries again.
CREATE OR REPLACE FUNCTION add_month_partition(parent regclass, month date) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET lock_timeout = '250ms' AS $$
DECLARE
    name text := (SELECT relname FROM pg_class WHERE oid = parent);
    first timestamp := date_trunc('month', month::timestamp);
    lower uuid := uuid_lower_bound(first AT TIME ZONE 'UTC');
    upper uuid := uuid_lower_bound((first + interval '1 month') AT TIME ZONE 'UTC');
    key text;
    part text := format('partitions.%I', name || to_char(first, '_YYYY_MM'));
    strays text := format('partitions.%I', name || '_default');
BEGIN
    SELECT a.attname INTO STRICT key FROM pg_partitioned_table p
    JOIN pg_attribute a ON a.attrelid = p.partrelid AND a.attnum = p.partattrs[0]
    WHERE p.partrelid = parent;
    PERFORM pg_advisory_xact_lock(parent::oid::int, 0);
    IF EXISTS (SELECT FROM pg_inherits
               WHERE inhparent = parent AND inhrelid = to_regclass(part)) THEN
        RETURN false;
    END IF;
    -- Only what vacuum has looked at is read from an index alone.
    EXECUTE format('CREATE TABLE %s (LIKE %s INCLUDING DEFAULTS INCLUDING CONSTRAINTS'
        ' INCLUDING STORAGE INCLUDING COMPRESSION) WITH (autovacuum_vacuum_scale_factor = 0.05,'
        ' autovacuum_vacuum_insert_scale_factor = 0.05)', part, parent);
    IF to_regclass(strays) IS NOT NULL THEN
        EXECUTE format('WITH moved AS (DELETE FROM %s WHERE %I >= $1 AND %2$I < $2 RETURNING *)'
            ' INSERT INTO %s SELECT * FROM moved', strays, key, part) USING lower, upper;
    END IF;
    EXECUTE format('ALTER TABLE %s ATTACH PARTITION %s FOR VALUES FROM (%L) TO (%L)',
        parent, part, lower, upper);
    RETURN true;
END $$
