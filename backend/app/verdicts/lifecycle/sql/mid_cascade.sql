-- A condition on the row `e`: its judge is one of a cascade, and not the last. Who stands in for the
-- last one is not asked as a step again, or the two would hand it to each other for ever.
(e.fallback_because IS NULL
    AND COALESCE(e.judge_model = ANY(e.cascade[1:cardinality(e.cascade) - 1]), false))
