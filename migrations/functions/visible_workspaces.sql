-- The workspaces whose rows the views show. A transaction of the API sees the workspace it has
-- entered. Every other login sees what the operator gave it (workspace_id NULL: all), the owner
-- everything; naming a workspace narrows it.
CREATE OR REPLACE FUNCTION analytics.visible_workspaces() RETURNS SETOF uuid
LANGUAGE sql STABLE PARALLEL SAFE SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT w.id
    FROM workspaces w,
         (SELECT NULLIF(current_setting('app.workspace_id', true), '')::uuid AS id) named
    WHERE CASE WHEN current_setting('role') = 'searchqa_app' THEN w.id = named.id
        ELSE (named.id IS NULL OR w.id = named.id)
            AND (pg_has_role(session_user, current_user, 'MEMBER') OR EXISTS (
                SELECT FROM analytics.access a
                WHERE a.login = session_user
                  AND (a.workspace_id IS NULL OR a.workspace_id = w.id)))
        END
$$
