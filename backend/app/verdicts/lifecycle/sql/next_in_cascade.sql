-- The judge who goes on in the cascade of the row `e`: the next one that is not paused, or the last.
SELECT step.model FROM unnest(e.cascade) WITH ORDINALITY AS step (model, position)
WHERE step.position > array_position(e.cascade, e.judge_model)
ORDER BY step.position < cardinality(e.cascade)
    AND EXISTS (SELECT FROM judge_pauses q WHERE q.judge_model = step.model), step.position
LIMIT 1
