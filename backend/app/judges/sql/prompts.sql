-- A workspace's own prompts.

-- name: prompts
SELECT w.*, EXISTS (
    SELECT FROM evaluation_policies p
    WHERE p.workspace_id = w.workspace_id AND p.judge_prompt = w.reference) AS in_policy,
    (SELECT COALESCE(jsonb_agg(x.example ORDER BY x.position), '[]') FROM judge_prompt_examples x
     WHERE x.workspace_id = w.workspace_id AND x.prompt_id = w.id) AS examples
FROM judge_prompts w WHERE w.workspace_id = :workspace_id

-- name: by_reference
{prompts} AND w.reference = :reference

-- name: lock_name
-- The next number of a name is given to one at a time.
SELECT pg_advisory_xact_lock(hashtextextended(:workspace_id || :name, 47))

-- name: latest_prompt
SELECT version, base, text_ko, text_en FROM judge_prompts
WHERE workspace_id = :workspace_id AND name = :name ORDER BY version DESC LIMIT 1

-- name: retire
-- Whoever puts it into the policy at the same moment keeps it: its text stays.
UPDATE judge_prompts w SET retired_at = COALESCE(w.retired_at, now())
WHERE w.workspace_id = :workspace_id AND w.id = :id AND NOT EXISTS (
    SELECT FROM evaluation_policies p
    WHERE p.workspace_id = w.workspace_id AND p.judge_prompt = w.reference)
RETURNING w.id

-- name: copy_examples
-- A version that was written from another one has its examples.
INSERT INTO judge_prompt_examples (workspace_id, prompt_id, position, answer_id, example)
SELECT x.workspace_id, CAST(:prompt_id AS uuid), x.position, x.answer_id, x.example
FROM judge_prompt_examples x JOIN judge_prompts w ON w.id = x.prompt_id
WHERE x.workspace_id = :workspace_id AND w.reference = :parent
