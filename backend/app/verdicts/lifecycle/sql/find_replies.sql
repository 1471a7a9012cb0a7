-- The newest usable reply of the last `hours` hours to each of the given requests. Only replies that
-- made a verdict are good for another one: a malformed one would fail there too. None of workspaces
-- whose policy has each answer judged by itself.
--
-- workspaces, hashes: arrays, a request each. Returns workspace, hash, content, provider and model of
-- those that are found.
SELECT asked.workspace_id, asked.request_hash, reply.content, reply.provider, reply.model
FROM unnest(%(workspaces)s::uuid[], %(hashes)s::text[]) AS asked(workspace_id, request_hash)
CROSS JOIN LATERAL (
    SELECT c.content, c.provider, c.model
    FROM judge_calls c JOIN qa_evaluations e ON e.id = c.evaluation_id
    WHERE c.request_hash = asked.request_hash AND c.workspace_id = asked.workspace_id
      AND c.content IS NOT NULL AND NOT c.discarded
      AND c.created_at > now() - make_interval(hours => %(hours)s)
      AND e.status = 'succeeded' AND NOT e.degraded
      AND e.provider = c.provider AND e.model = c.model
    ORDER BY c.created_at DESC LIMIT 1
) reply
WHERE NOT EXISTS (
    SELECT FROM evaluation_policies p
    WHERE p.workspace_id = asked.workspace_id AND NOT p.reuse_replies)
