-- Lists that somebody has saved for a user.

-- name: lists
WITH gone AS (
    DELETE FROM saved_views WHERE workspace_id = :workspace_id
      AND (filters ->> 'user_ref' IN (:user_ref, :hashed)
        OR stored_user_ref(:workspace_id, filters ->> 'user_ref') = :user_ref)
    RETURNING id
)
SELECT 'saved_views' AS name, count(*) AS rows FROM gone
