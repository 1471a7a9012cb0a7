-- What a server refuses for a model; nothing where that is older than `seconds`.
SELECT parts FROM refused_parts
WHERE server = %(server)s AND model = %(model)s
  AND refused_at > now() - make_interval(secs => %(seconds)s)
