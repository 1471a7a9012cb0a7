-- How many chunks a workspace (and notebook) has, their mean length, and the sample of note_keys
-- that holds one to four thousand of them. Fewer than 4,096 are counted, which is sample 0; of more,
-- one in 256 is.
CREATE OR REPLACE FUNCTION note_collection(
    workspace uuid, notebook uuid, OUT size float8, OUT mean_length float8, OUT sample integer
)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
SET enable_seqscan = off SET jit = off AS $$
BEGIN
    IF current_setting('role') = 'searchqa_app'
        AND workspace IS DISTINCT FROM NULLIF(current_setting('app.workspace_id', true), '')::uuid
    THEN
        size := 0;
        sample := 0;
        RETURN;
    END IF;
    SELECT count(*), avg(length), 0 INTO size, mean_length, sample FROM (
        SELECT c.length FROM note_chunks c
        WHERE c.workspace_id = workspace AND (notebook IS NULL OR c.notebook_id = notebook)
        LIMIT 4096
    ) AS chunk;
    IF size = 4096 THEN
        SELECT greatest(256 * count(*), 4096), coalesce(avg(c.length), mean_length)
        INTO size, mean_length FROM note_chunks c
        WHERE c.workspace_id = workspace AND (notebook IS NULL OR c.notebook_id = notebook)
          AND uuid_hash_extended(c.id, 0) & 255 = 0;
        sample := least(6, floor(log(4, (size / 1024)::numeric)));
    END IF;
END
$$
