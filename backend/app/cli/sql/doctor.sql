-- What `searchqa doctor` looks at, for psycopg.

-- name: last_verdict
SELECT extract(epoch FROM now() - finished_at)::float8
FROM qa_evaluations WHERE status = 'succeeded' ORDER BY id DESC LIMIT 1

-- name: migration
SELECT version_num FROM alembic_version

-- name: not_published
-- As for the dispatcher: unfinished, `run_at` has passed, and the judge is not paused.
SELECT count(*), COALESCE(extract(epoch FROM now() - min(e.run_at)), 0)::float8
FROM qa_evaluations e
WHERE e.status IN ({waiting}) AND e.run_at < now()
  AND NOT EXISTS (SELECT FROM judge_pauses p WHERE p.judge_model = e.judge_model)
  AND (e.enqueued_at IS NULL OR e.enqueued_at < now() - make_interval(secs => %s))

-- name: paused
SELECT judge_model, kind, reason, probe_at FROM judge_pauses ORDER BY judge_model

-- name: policy_judges
SELECT p.judge_model, string_agg(w.name, ', ' ORDER BY w.name)
FROM evaluation_policies p JOIN workspaces w ON w.id = p.workspace_id
WHERE p.judge_model <> %s GROUP BY p.judge_model ORDER BY p.judge_model
