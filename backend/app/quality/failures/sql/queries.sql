-- Failures that recur: grouped by a job, listed and changed by people.

-- name: cursor_xid
-- A cursor of the future is one of another cluster, out of whose dump the database was made.
CASE WHEN c.xid < pg_snapshot_xmax(pg_current_snapshot()) THEN c.xid ELSE '0'::xid8 END

-- name: unseen
-- Events `v` behind the cursor `c`, below which no transaction is open any more: of all kinds, or
-- those that are no verdict would be read again each time until a verdict follows.
v.evaluation_id >= uuid_lower_bound(now() - interval '{days} days')
    AND (v.xid, v.id) > ({cursor_xid}, COALESCE(c.event_id, 0))
    AND v.xid < pg_snapshot_xmin(pg_current_snapshot())

-- name: ungrouped
-- Workspaces with events that have not been looked at; for psycopg.
SELECT w.id FROM workspaces w
LEFT JOIN recurring_failure_cursors c ON c.workspace_id = w.id
WHERE EXISTS (SELECT FROM verdict_events v WHERE v.workspace_id = w.id AND {unseen})

-- name: begin
INSERT INTO recurring_failure_cursors (workspace_id, xid, event_id) VALUES (:workspace_id, '0', 0)
ON CONFLICT DO NOTHING

-- name: is_doubted
-- Of a verdict `e`. What rules cannot tell, and what they say in place of a judge, is no failure.
e.status = 'succeeded' AND e.is_current AND NOT e.degraded
    AND {outcome} IS DISTINCT FROM 'undecided' AND {outcome} IS DISTINCT FROM 'rightly_refused'
    AND (e.confidence = 'low' OR e.claims_unsupported > 0 OR e.outcome = 'falsely_refused')

-- name: doubted
-- The next `limit` events, and of verdicts that are doubted the first few doubted statements, or the
-- question where there is none. A statement is about the note that it names, else the first that
-- the answer cites, else the first that it was given.
WITH seen AS MATERIALIZED (
    SELECT v.*
    FROM recurring_failure_cursors c
    CROSS JOIN LATERAL (
        SELECT v.xid, v.id, v.evaluation_id,
            v.status = 'succeeded' AND v.refinement_id IS NULL AS is_verdict
        FROM verdict_events v
        WHERE v.workspace_id = :workspace_id AND {unseen}
        ORDER BY v.xid, v.id LIMIT :limit
    ) v
    WHERE c.workspace_id = :workspace_id
)
SELECT s.xid::text AS xid, s.id AS event_id, d.*
FROM seen s
LEFT JOIN LATERAL (
    SELECT e.id AS evaluation_id, e.answered_at, q.position AS claim_position,
        COALESCE(q.claim, a.standalone_question, a.question) AS text, COALESCE(q.fault,
            CASE e.outcome WHEN 'falsely_refused' THEN e.outcome ELSE 'whole_answer' END) AS fault,
        n.note_id, n.title
    FROM qa_evaluations e JOIN qa_answers a ON a.id = e.answer_id
    LEFT JOIN LATERAL (
        SELECT q.position, q.claim, q.note_index, {fault} AS fault FROM qa_claims q
        WHERE q.evaluation_id = e.id AND (q.verdict = 'unsupported'
            OR q.verdict = 'partly' AND COALESCE(e.claims_unsupported, 0) = 0)
        ORDER BY q.position LIMIT {statements}
    ) q ON true
    LEFT JOIN qa_answer_sources n ON n.answer_id = e.answer_id
        AND n.note_index = COALESCE(q.note_index, e.cited_notes[1], 1)
    WHERE s.is_verdict AND e.id = s.evaluation_id AND e.workspace_id = :workspace_id
        AND {is_doubted}
) d ON true
ORDER BY s.xid, s.id, d.claim_position

-- name: advance
-- Of two jobs at the same verdicts one goes on.
UPDATE recurring_failure_cursors c SET xid = CAST(CAST(:xid AS text) AS xid8), event_id = :event_id
WHERE c.workspace_id = :workspace_id
    AND (CAST(CAST(:xid AS text) AS xid8), :event_id) > ({cursor_xid}, c.event_id)
RETURNING c.began_at

-- name: groups
SELECT id, signature, fault, note_id, note_title, terms FROM recurring_failures
WHERE workspace_id = :workspace_id

-- name: add_groups
INSERT INTO recurring_failures (id, workspace_id, signature, fault, note_id, note_title, terms,
    name, first_seen_at, last_seen_at)
SELECT id, :workspace_id, signature, fault, note_id, note_title, terms, name, seen_at, seen_at
FROM jsonb_to_recordset(CAST(:rows AS jsonb)) AS r (id uuid, signature text, fault text,
    note_id uuid, note_title text, terms text[], name text, seen_at timestamptz)
ON CONFLICT DO NOTHING

-- name: add_answers
-- Without those whose answer or group has been deleted meanwhile.
WITH given AS (
    SELECT DISTINCT ON (r.failure_id, r.evaluation_id) r.*
    FROM jsonb_to_recordset(CAST(:rows AS jsonb)) AS r (failure_id uuid, evaluation_id uuid,
        claim_position int, answered_at timestamptz)
    ORDER BY r.failure_id, r.evaluation_id, r.claim_position
), kept AS (
    SELECT g.* FROM given g
    JOIN qa_evaluations e ON e.id = g.evaluation_id AND e.workspace_id = :workspace_id
    JOIN recurring_failures f ON f.id = g.failure_id AND f.workspace_id = :workspace_id
    FOR KEY SHARE OF e, f
), added AS (
    INSERT INTO recurring_failure_answers (workspace_id, failure_id, evaluation_id, claim_position,
        answered_at)
    SELECT :workspace_id, failure_id, evaluation_id, claim_position, answered_at FROM kept
    ON CONFLICT DO NOTHING
    RETURNING failure_id, answered_at
)
UPDATE recurring_failures f SET first_seen_at = LEAST(f.first_seen_at, a.first),
    last_seen_at = GREATEST(f.last_seen_at, a.last)
FROM (SELECT failure_id, min(answered_at) AS first, max(answered_at) AS last
    FROM added GROUP BY 1) a
WHERE f.id = a.failure_id
RETURNING f.id

-- name: young
-- Statements of the groups that are small enough to get a better name, the oldest first.
SELECT m.failure_id, COALESCE(q.claim, a.standalone_question, a.question) AS text
FROM (
    SELECT m.*, count(*) OVER (PARTITION BY m.failure_id) AS members
    FROM unnest(CAST(:ids AS uuid[])) g (id)
    CROSS JOIN LATERAL (SELECT * FROM recurring_failure_answers m WHERE m.failure_id = g.id
        LIMIT {named} + 1) m
) m
JOIN qa_evaluations e ON e.id = m.evaluation_id JOIN qa_answers a ON a.id = e.answer_id
LEFT JOIN qa_claims q ON q.evaluation_id = m.evaluation_id AND q.position = m.claim_position
WHERE m.members BETWEEN 2 AND {named} AND m.workspace_id = :workspace_id
ORDER BY m.answered_at, m.evaluation_id

-- name: rename
UPDATE recurring_failures f SET name = r.name
FROM jsonb_to_recordset(CAST(:rows AS jsonb)) AS r (id uuid, name text)
WHERE f.id = r.id AND f.workspace_id = :workspace_id AND f.name <> r.name

-- name: returned
-- Answers of these verdicts that came after their group was mended.
SELECT r.failure_id, r.mended_in, r.mended_at, a.app_version, r.answered_at,
    (SELECT min(o.created_at) FROM qa_answers o WHERE o.workspace_id = :workspace_id
        AND o.app_version = a.app_version) AS first_seen,
    (SELECT min(o.created_at) FROM qa_answers o WHERE o.workspace_id = :workspace_id
        AND o.app_version = r.mended_in) AS mended_seen
FROM analytics.recurring_failures r
JOIN qa_evaluations e ON e.id = r.evaluation_id JOIN qa_answers a ON a.id = e.answer_id
WHERE r.workspace_id = :workspace_id AND r.failure_id = ANY (CAST(:ids AS uuid[]))
    AND r.evaluation_id = ANY (CAST(:evaluation_ids AS uuid[])) AND r.state = 'mended' AND r.answered_at > r.mended_at
ORDER BY r.answered_at, r.evaluation_id

-- name: reopen
-- A trigger puts it into the outbox of webhooks, in the same transaction.
UPDATE recurring_failures SET state = 'open', reopened_at = now(), reopened_in = :reopened_in,
    updated_at = now()
WHERE id = :id AND workspace_id = :workspace_id AND state = 'mended' AND mended_at = :mended_at

-- name: alarm
-- The same of groups that have become frequent.
UPDATE recurring_failures f SET alarmed_at = now()
WHERE f.id = ANY (CAST(:ids AS uuid[])) AND f.workspace_id = :workspace_id AND f.state = 'open'
    AND f.alarmed_at IS NULL AND f.reopened_at IS NULL
    AND (SELECT count(*) FROM analytics.recurring_failures r
        WHERE r.workspace_id = :workspace_id AND r.failure_id = f.id AND r.answered_at
            >= GREATEST(:began_at, now() - interval '{days} days')) >= {frequent}

-- name: evict
-- Groups beyond the most that a workspace has, which nobody has taken up: those of one answer
-- first, then those that were not seen for longest.
WITH gone AS MATERIALIZED (
    SELECT f.id FROM recurring_failures f
    WHERE f.workspace_id = :workspace_id AND f.state = 'open' AND f.owner IS NULL
        AND f.mended_at IS NULL
    ORDER BY (SELECT count(*) FROM (SELECT FROM recurring_failure_answers m
        WHERE m.failure_id = f.id LIMIT 2) two) > 1, f.last_seen_at, f.id
    LIMIT GREATEST(0, (SELECT count(*) FROM recurring_failures
        WHERE workspace_id = :workspace_id) - :most)
), dropped AS (
    SELECT count(DISTINCT m.evaluation_id)::int AS answers
    FROM gone g JOIN recurring_failure_answers m ON m.failure_id = g.id
), deleted AS (
    DELETE FROM recurring_failures f USING gone g WHERE f.id = g.id
)
UPDATE recurring_failure_cursors c SET dropped = c.dropped + d.answers
FROM dropped d WHERE c.workspace_id = :workspace_id AND d.answers > 0

-- name: empty
-- Nothing is kept of what an answer said once it is deleted.
NOT EXISTS (SELECT FROM recurring_failure_answers m WHERE m.failure_id = f.id)

-- name: count_empty
SELECT count(*) FROM recurring_failures f WHERE {empty}

-- name: delete_empty
DELETE FROM recurring_failures WHERE id = ANY(ARRAY(
    SELECT f.id FROM recurring_failures f WHERE {empty}
    LIMIT %(limit)s FOR UPDATE SKIP LOCKED))

-- name: listed
-- Groups with their answers of the period, by the filters of named queries; for psycopg. Those that
-- nobody has taken up are listed from the second answer on, unless `min_answers` says otherwise.
WITH counted AS MATERIALIZED (
    SELECT r.failure_id, count(*) AS answers, max(r.answered_at) AS last_seen_at,
        array_agg(DISTINCT v.app_version) FILTER (WHERE v.app_version IS NOT NULL) AS releases,
        (array_agg(r.evaluation_id ORDER BY r.answered_at DESC, r.evaluation_id))[1] AS example
    FROM analytics.recurring_failures r
    JOIN analytics.verdicts v ON v.evaluation_id = r.evaluation_id
    WHERE r.workspace_id = %(workspace_id)s AND {of_group} AND {filters}
    GROUP BY 1
), everything AS (
    SELECT count(*) AS answers FROM analytics.verdicts v WHERE v.is_current AND {filters}
), found AS (
    SELECT f.id, f.name, f.fault, f.note_id, f.note_title,
        f.note_id IS NOT NULL AND NOT EXISTS (SELECT FROM notes n
            WHERE n.id = f.note_id AND n.workspace_id = f.workspace_id) AS note_deleted,
        f.state, f.owner, f.mended_in, f.mended_at, f.reopened_in, f.reopened_at,
        COALESCE(c.answers, 0) AS answers,
        COALESCE(c.answers, 0)::float8 / NULLIF(e.answers, 0) AS share,
        f.first_seen_at, COALESCE(c.last_seen_at, f.last_seen_at) AS last_seen_at,
        COALESCE(c.releases, '{}') AS releases, c.example, f.created_at, f.updated_at
    FROM recurring_failures f
    LEFT JOIN counted c ON c.failure_id = f.id
    CROSS JOIN everything e
    WHERE f.workspace_id = %(workspace_id)s AND {conditions}
)
SELECT * FROM found
WHERE answers >= COALESCE(%(min_answers)s::int, CASE WHEN state = 'open' AND owner IS NULL
        AND reopened_at IS NULL THEN 2 ELSE 0 END)
    AND (%(after_id)s::uuid IS NULL OR (answers, id) < (%(after_answers)s, %(after_id)s::uuid))
ORDER BY answers DESC, id DESC LIMIT %(limit)s

-- name: dropped
SELECT COALESCE((SELECT dropped FROM recurring_failure_cursors
    WHERE workspace_id = :workspace_id), 0)

-- name: examples
-- Of one group, the newest first.
SELECT r.evaluation_id, r.answered_at, a.question, q.claim, q.reasoning, a.app_version
FROM analytics.recurring_failures r
JOIN qa_evaluations e ON e.id = r.evaluation_id JOIN qa_answers a ON a.id = e.answer_id
LEFT JOIN qa_claims q ON q.evaluation_id = r.evaluation_id AND q.position = r.claim_position
WHERE r.workspace_id = :workspace_id AND r.failure_id = :id
ORDER BY r.answered_at DESC, r.evaluation_id LIMIT {examples}

-- name: releases
-- Of one group: in which releases it was seen, the newest first.
SELECT a.app_version, count(*) AS answers, min(r.answered_at) AS first_seen_at,
    max(r.answered_at) AS last_seen_at
FROM analytics.recurring_failures r
JOIN qa_evaluations e ON e.id = r.evaluation_id JOIN qa_answers a ON a.id = e.answer_id
WHERE r.workspace_id = :workspace_id AND r.failure_id = :id
GROUP BY 1 ORDER BY max(r.answered_at) DESC LIMIT 20

-- name: change
-- A parameter that is not to be set keeps what is there. Whoever opens a group again forgets when
-- it was mended.
UPDATE recurring_failures f SET
    owner = CASE WHEN :set_owner THEN CAST(:owner AS text) ELSE owner END,
    state = COALESCE(CAST(:state AS text), state),
    mended_in = CASE CAST(:state AS text) WHEN 'mended' THEN CAST(:mended_in AS text)
        WHEN 'open' THEN NULL ELSE mended_in END,
    mended_at = CASE CAST(:state AS text) WHEN 'mended' THEN now()
        WHEN 'open' THEN NULL ELSE mended_at END,
    reopened_in = CASE WHEN CAST(:state AS text) IS NULL THEN reopened_in END,
    reopened_at = CASE WHEN CAST(:state AS text) IS NULL THEN reopened_at END,
    updated_at = now()
WHERE id = :id AND workspace_id = :workspace_id
RETURNING f.id
