-- Tokens, for psycopg.

-- name: ended_tokens
SELECT id FROM unnest(CAST(%(ids)s AS uuid[])) AS open (id)
WHERE NOT EXISTS (
    SELECT FROM api_tokens t
    WHERE t.id = open.id AND t.revoked_at IS NULL
      AND (t.expires_at IS NULL OR t.expires_at > now())
)

-- name: expired_readers
FROM api_tokens WHERE kind = 'reader' AND expires_at <= now()

-- name: expired_sessions
FROM api_tokens WHERE kind IN ('login', 'session') AND expires_at < now() - interval '1 day'

-- name: count_expired_readers
SELECT count(*) {expired_readers}

-- name: count_expired_sessions
SELECT count(*) {expired_sessions}

-- name: delete_expired_readers
-- A few at a time; two processes may do it at once.
-- An array, since a plan may run a subquery of IN once for each row: each time up to the limit.
DELETE FROM api_tokens WHERE id = ANY(ARRAY(
    SELECT id {expired_readers} LIMIT %(limit)s FOR UPDATE SKIP LOCKED
))

-- name: delete_expired_sessions
DELETE FROM api_tokens WHERE id = ANY(ARRAY(
    SELECT id {expired_sessions} LIMIT %(limit)s FOR UPDATE SKIP LOCKED
))

-- name: revoke_sessions_beyond
-- For SQLAlchemy. Sessions of a user of the login provider that may do more than their groups give.
-- In order, so that two logins at once lock the same rows one after the other.
UPDATE api_tokens SET revoked_at = now() WHERE id IN (
    SELECT t.id FROM api_tokens t JOIN workspaces w ON w.id = t.workspace_id
    WHERE t.subject = :subject AND t.kind = 'session'
      AND t.revoked_at IS NULL AND t.expires_at > now()
      AND NOT to_jsonb(t.scopes) <@ COALESCE(CAST(:rights AS jsonb) -> w.name, '[]')
    ORDER BY t.id FOR UPDATE OF t
)
