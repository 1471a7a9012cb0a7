-- A condition on the row `e`: it waits in the queue `queue`.
e.status IN ({waiting}) AND e.queue = %(queue)s
