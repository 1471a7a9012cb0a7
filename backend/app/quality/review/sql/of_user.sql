-- Lists that somebody has saved for a user.

-- name: lists
WITH gone AS (
    DELETE FROM saved_views WHERE workspace_id = :workspace_id
      AND :user_ref IN (
        filters ->> 'user_ref', stored_user_ref(:workspace_id, filters ->> 'user_ref'))
    RETURNING id
)
SELECT 'saved_views' AS name, count(*) AS rows FROM gone
