-- Adds to what is known; parts of an entry older than `seconds` are dropped.
INSERT INTO refused_parts AS r (server, model, parts) VALUES (%(server)s, %(model)s, %(parts)s)
ON CONFLICT (server, model) DO UPDATE SET
    parts = ARRAY(
        SELECT unnest(excluded.parts) UNION
        SELECT unnest(r.parts) WHERE r.refused_at > now() - make_interval(secs => %(seconds)s)),
    refused_at = now()
