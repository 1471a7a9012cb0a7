-- A condition on the row `e`: no batch of its provider is at it.
(e.reason IS DISTINCT FROM 'in_batch' OR e.run_at <= now())
