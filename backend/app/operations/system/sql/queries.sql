-- Processes, and the servers and tables behind them.

-- name: enter
INSERT INTO processes (id, kind, hostname, pid, release, queues)
VALUES (%(id)s, %(kind)s, %(hostname)s, %(pid)s, %(release)s, %(queues)s)
ON CONFLICT DO NOTHING

-- name: beat
-- Committed without waiting for the disk: what a crash of PostgreSQL loses is reported again.
UPDATE processes SET
    seen_at = now(), in_flight = %(in_flight)s, claims = %(claims)s,
    ticked_at = now() - make_interval(secs => %(ticked)s), backlog = %(backlog)s,
    unindexed = %(unindexed)s,
    steady_since = CASE WHEN seen_at < now() - make_interval(secs => %(timeout)s)
                        THEN now() ELSE steady_since END
FROM (SELECT set_config('synchronous_commit', 'off', true)) AS asynchronous
WHERE id = %(id)s

-- name: leave
DELETE FROM processes WHERE id = %(id)s

-- name: delete_silent
-- Of processes that were killed. Two that start at once must not wait for each other.
DELETE FROM processes WHERE id IN (
    SELECT id FROM processes WHERE seen_at < now() - make_interval(secs => %(seconds)s)
    FOR UPDATE SKIP LOCKED
)

-- name: processes
SELECT id, kind, hostname, pid, release, queues, created_at,
    extract(epoch FROM now() - seen_at)::float8, extract(epoch FROM now() - steady_since)::float8,
    in_flight, claims, extract(epoch FROM now() - ticked_at)::float8, backlog,
    unindexed
FROM processes
WHERE seen_at > now() - make_interval(secs => %(seconds)s)
ORDER BY kind, hostname, created_at

-- name: paused
SELECT judge_model FROM judge_pauses ORDER BY judge_model

-- name: observe_clock
-- The clock is held where it leapt, now or since somebody last looked; it may go on for `away`
-- seconds while nobody does.
INSERT INTO database_clock AS c (seen_at, held_until)
VALUES (now(), CASE WHEN %(leapt)s THEN now() + make_interval(secs => %(hold)s) END)
ON CONFLICT (id) DO UPDATE SET seen_at = now(), held_until = CASE
    WHEN %(leapt)s OR c.seen_at > now() + make_interval(secs => %(leap)s)
        OR c.seen_at < now() - make_interval(secs => %(away)s)
    THEN now() + make_interval(secs => %(hold)s)
    WHEN c.held_until > now() THEN c.held_until
    END
RETURNING held_until

-- name: tables
-- A partitioned table counts as one. Until a table is analyzed its rows are those counted since the
-- statistics began.
WITH sizes AS (
    SELECT COALESCE(pg_partition_root(oid)::oid, oid) AS root,
        sum(pg_total_relation_size(oid))::bigint AS total_bytes,
        sum(pg_indexes_size(oid))::bigint AS index_bytes,
        sum(CASE WHEN reltuples < 0 THEN pg_stat_get_live_tuples(oid) ELSE reltuples END)::bigint
            AS estimated_rows,
        count(*) AS parts
    FROM pg_class WHERE relkind IN ('r', 'm')
        AND relnamespace IN ('public'::regnamespace, 'partitions'::regnamespace)
    GROUP BY 1
)
SELECT c.relname, total_bytes, index_bytes, estimated_rows,
    CASE WHEN c.relkind = 'p' THEN parts ELSE 0 END
FROM sizes JOIN pg_class c ON c.oid = root
ORDER BY total_bytes DESC, c.relname LIMIT %(limit)s

-- name: database
SELECT pg_database_size(current_database()), current_setting('server_version'),
    (SELECT version_num FROM alembic_version)

-- name: save_listed
-- Of models that end. A server knows better than the list.
WITH gone AS (
    DELETE FROM model_endings WHERE source = 'list' AND NOT %(listed)s::jsonb ? model
)
INSERT INTO model_endings (model, ends_on, source)
SELECT key, value::date, 'list' FROM jsonb_each_text(%(listed)s)
ON CONFLICT (model) DO UPDATE SET ends_on = EXCLUDED.ends_on
    WHERE model_endings.source = 'list' AND model_endings.ends_on <> EXCLUDED.ends_on

-- name: save_served
WITH gone AS (
    DELETE FROM model_endings
    WHERE source = 'server' AND starts_with(model, %(provider)s || ':')
      AND NOT %(served)s::jsonb ? model
)
INSERT INTO model_endings (model, ends_on, source)
SELECT key, value::date, 'server' FROM jsonb_each_text(%(served)s)
ON CONFLICT (model) DO UPDATE SET ends_on = EXCLUDED.ends_on, source = 'server'

-- name: count_workspaces
UPDATE model_endings e SET workspaces = c.workspaces
FROM (
    SELECT m.model, count(DISTINCT u.workspace_id)::int AS workspaces
    FROM model_endings m
    LEFT JOIN model_uses(ARRAY(SELECT model FROM model_endings)) u ON u.model = m.model
    GROUP BY m.model
) c
WHERE c.model = e.model AND c.workspaces <> e.workspaces

-- name: providers_of_policies
SELECT DISTINCT split_part(model, ':', 1)
FROM evaluation_policies, unnest(judge_model || fallback_models || cascade || jury) AS model
WHERE model IS NOT NULL

-- name: endings
-- server: the models that the server's settings name.
SELECT model, ends_on, source, workspaces, ends_on - (now() AT TIME ZONE 'UTC')::date
FROM model_endings
WHERE ends_on <= (now() AT TIME ZONE 'UTC')::date + %(days)s
  AND (workspaces > 0 OR model = ANY (%(server)s))
ORDER BY ends_on, model

-- name: uses
SELECT u.model, u.kind, u.name, w.name
FROM model_uses(%(models)s) u JOIN workspaces w ON w.id = u.workspace_id
ORDER BY u.model, w.name, u.kind, u.name

-- name: endings_of_workspace
-- Of the workspace that the session has entered.
SELECT e.model, e.ends_on, e.ends_on - t.today AS days, u.kind, u.name
FROM (SELECT (now() AT TIME ZONE 'UTC')::date AS today) t
JOIN model_endings e ON e.ends_on <= t.today + CAST(:days AS int)
LEFT JOIN model_uses(ARRAY(SELECT model FROM model_endings)) u ON u.model = e.model
ORDER BY e.ends_on, e.model, u.kind, u.name
