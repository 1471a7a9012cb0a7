-- A condition on the row `e`: its time has come, and it was not published `republish` seconds ago.
e.run_at <= now()
      AND (e.enqueued_at IS NULL OR e.enqueued_at < now() - make_interval(secs => %(republish)s))
