-- The first judge of the chain `c` that is not paused and has not failed with the answer of the row
-- `e`, which `fallback_because` names (judging/judging.py).
SELECT model FROM unnest(c.models) WITH ORDINALITY AS chain (model, position)
WHERE model NOT IN (SELECT judge_model FROM judge_pauses)
  AND strpos(COALESCE(e.fallback_because, ''), model || ': ') = 0
ORDER BY position LIMIT 1
