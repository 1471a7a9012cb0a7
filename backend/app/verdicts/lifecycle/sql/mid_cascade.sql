-- A condition on the row `e`: its judge is one of a cascade, and not the last.
COALESCE(e.judge_model = ANY(e.cascade[1:cardinality(e.cascade) - 1]), false)
