-- A condition on the row `e`: it is in a batch, as the attempt of the row `r`.
e.id = r.id AND e.attempt = r.attempt AND e.reason = 'in_batch' AND e.status IN ({waiting})
