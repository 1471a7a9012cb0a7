-- A workspace's own criteria.

-- name: in_force
EXISTS (
    SELECT FROM evaluation_policies p
    WHERE p.workspace_id = c.workspace_id AND c.reference = ANY (p.criteria))

-- name: criteria
SELECT c.*, {in_force} AS in_force FROM judge_criteria c WHERE c.workspace_id = :workspace_id

-- name: definitions
SELECT * FROM judge_criteria WHERE workspace_id = :workspace_id AND reference = ANY(:references)
ORDER BY array_position(:references, reference)

-- name: latest_criterion
SELECT * FROM judge_criteria
WHERE workspace_id = :workspace_id AND name = :name ORDER BY version DESC LIMIT 1

-- name: revive
-- A new version brings the older ones of its name back.
UPDATE judge_criteria SET archived_at = NULL
WHERE workspace_id = :workspace_id AND name = :name AND archived_at IS NOT NULL

-- name: archive
UPDATE judge_criteria SET archived_at = COALESCE(archived_at, now())
WHERE workspace_id = :workspace_id AND name = :name
