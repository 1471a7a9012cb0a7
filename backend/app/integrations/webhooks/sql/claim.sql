-- Takes deliveries that are due, the oldest first, at most `limit`, and of each webhook as many as
-- it has room for: `per_webhook`, or one while its receiver is failing, less those that this process
-- holds already (`webhooks` and `held`, side by side). lease: seconds.
--
-- What the application said of the answer is read here, and its texts for the webhooks that want
-- them; neither is kept in the outbox.
WITH due AS (
    SELECT d.id FROM webhooks w
    LEFT JOIN unnest(%(webhooks)s::uuid[], %(held)s::int[]) AS h(webhook_id, held)
        ON h.webhook_id = w.id
    CROSS JOIN LATERAL (
        SELECT d.id, d.run_at FROM webhook_deliveries d
        WHERE d.webhook_id = w.id AND d.status = 'pending' AND d.run_at <= now()
        ORDER BY d.run_at
        LIMIT greatest(0, CASE WHEN w.failing_since IS NULL THEN %(per_webhook)s ELSE 1 END
            - COALESCE(h.held, 0))
        FOR UPDATE SKIP LOCKED
    ) d
    WHERE w.enabled
    ORDER BY d.run_at LIMIT %(limit)s
), claimed AS (
    UPDATE webhook_deliveries d SET
        attempt = d.attempt + 1,
        tries = d.tries + 1,
        run_at = now() + make_interval(secs => %(lease)s),
        lease_until = now() + make_interval(secs => %(lease)s)
    FROM due WHERE d.id = due.id
    RETURNING d.*
)
SELECT c.id, c.webhook_id, c.attempt, c.tries, c.event, c.created_at,
    c.data || CASE WHEN a.id IS NULL THEN '{}' ELSE jsonb_build_object(
        'app_version', a.app_version, 'environment', a.environment, 'user_ref', a.user_ref,
        'session_id', a.session_id, 'tags', COALESCE(to_jsonb(a.tags), '[]'),
        'attributes', COALESCE(a.attributes, '{}')) END,
    w.url, w.format,
    w.lang,
    (SELECT array_agg(s.secret ORDER BY s.created_at DESC, s.id DESC) FROM webhook_secrets s
     WHERE s.webhook_id = w.id AND (s.expires_at IS NULL OR s.expires_at > now())),
    CASE WHEN w.include_content AND a.id IS NOT NULL THEN jsonb_build_object(
        'question', a.question, 'answer', a.answer,
        'claims', (SELECT COALESCE(jsonb_agg(jsonb_build_object(
                'claim', q.claim, 'verdict', q.verdict, 'fault', q.fault,
                'note_index', q.note_index, 'quote', q.quote,
                'reasoning', q.reasoning) ORDER BY q.position), '[]')
            FROM qa_claims q WHERE q.evaluation_id = e.id)) END,
    a.traceparent
FROM claimed c
JOIN webhooks w ON w.id = c.webhook_id
LEFT JOIN qa_evaluations e ON e.id = c.evaluation_id
LEFT JOIN qa_answers a ON a.id = e.answer_id
