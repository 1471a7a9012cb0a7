"""What retention deletes of webhooks. days: how long a delivery is kept."""

# One that still waits is kept while its webhook is on.
_OLD = """
FROM webhook_deliveries d JOIN webhooks w ON w.id = d.webhook_id
WHERE d.created_at < now() - make_interval(days => %(days)s)
  AND NOT (d.status = 'pending' AND w.enabled)
"""
COUNT_DELIVERIES = f"SELECT count(*) {_OLD}".encode()
DELETE_DELIVERIES = f"""
DELETE FROM webhook_deliveries WHERE id = ANY(ARRAY(
    SELECT d.id {_OLD} ORDER BY d.created_at LIMIT %(limit)s FOR UPDATE OF d SKIP LOCKED))
""".encode()
_OLD_SECRETS = "FROM webhook_secrets WHERE expires_at < now() - interval '1 day'"
COUNT_SECRETS = f"SELECT count(*) {_OLD_SECRETS}".encode()
DELETE_SECRETS = f"DELETE {_OLD_SECRETS}".encode()
