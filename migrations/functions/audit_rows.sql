-- The rows of a statement as one event for each of their owners, with their number. Arguments: kind,
-- the column of the owner's id.
CREATE OR REPLACE FUNCTION audit_rows() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM add_audit_event(workspace_id, TG_ARGV[0], lower(TG_OP), NULL, owner, n, NULL, NULL)
    FROM (
        SELECT c.workspace_id, to_jsonb(c)->>TG_ARGV[1] AS owner, count(*) AS n FROM changed c
        GROUP BY 1, 2 ORDER BY 1, 2
    ) counted;
    RETURN NULL;
END $$
