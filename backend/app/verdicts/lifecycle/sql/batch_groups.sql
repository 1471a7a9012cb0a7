-- The workspaces and judges with rows that are to be put into a batch, each found by one look at the
-- index. Rows of paused judges wait.
WITH RECURSIVE groups AS (
    (SELECT workspace_id, judge_model FROM qa_evaluations
     WHERE reason = 'for_batch' ORDER BY workspace_id, judge_model LIMIT 1)
    UNION ALL
    SELECT next.* FROM groups g CROSS JOIN LATERAL (
        SELECT workspace_id, judge_model FROM qa_evaluations
        WHERE reason = 'for_batch'
          AND (workspace_id, judge_model) > (g.workspace_id, g.judge_model)
        ORDER BY workspace_id, judge_model LIMIT 1
    ) next
)
SELECT workspace_id, judge_model FROM groups g
WHERE NOT EXISTS (SELECT FROM judge_pauses p WHERE p.judge_model = g.judge_model)
