-- Policies of workspaces, their guarantees and cascades, and their daily budget.

-- name: raise_version
-- A row without settings changes nothing but its version.
INSERT INTO evaluation_policies AS p (workspace_id) VALUES (:workspace_id)
ON CONFLICT (workspace_id) DO UPDATE SET version = p.version + 1, updated_at = now()
RETURNING version

-- name: criteria_in_force
-- Locks them until the transaction ends.
INSERT INTO evaluation_policies AS p (workspace_id) VALUES (:workspace_id)
ON CONFLICT (workspace_id) DO UPDATE SET version = p.version + 1, updated_at = now()
RETURNING COALESCE(criteria, '{}')

-- name: set_criteria
UPDATE evaluation_policies SET criteria = :criteria WHERE workspace_id = :workspace_id

-- name: paused_among
SELECT judge_model FROM judge_pauses WHERE judge_model = ANY(:judges) ORDER BY judge_model

-- name: save_cascade
-- With other thresholds the judges get other answers than those that guarantees were computed from.
WITH outdated AS (
    DELETE FROM judge_calibrations WHERE workspace_id = :workspace_id AND cascade IS NOT NULL
)
INSERT INTO evaluation_policies AS p (workspace_id, cascade, cascade_calibration)
VALUES (:workspace_id, :judges, CAST(:calibration AS jsonb))
ON CONFLICT (workspace_id) DO UPDATE SET cascade = excluded.cascade,
    cascade_calibration = excluded.cascade_calibration, version = p.version + 1, updated_at = now()

-- name: delete_cascade
UPDATE evaluation_policies SET cascade_calibration = NULL, version = version + 1,
    updated_at = now()
WHERE workspace_id = :workspace_id AND cascade_calibration IS NOT NULL

-- name: calibrations
SELECT judge_model, prompt_version, precision, confidence, threshold, labels, labels_right,
    stays_high, policy_version, created_at, cascade
FROM judge_calibrations WHERE workspace_id = :workspace_id ORDER BY judge_model, created_at DESC

-- name: withdraw_calibration
DELETE FROM judge_calibrations WHERE workspace_id = :workspace_id
  AND judge_model = :judge_model AND prompt_version = :prompt_version

-- name: delete_calibrations
DELETE FROM judge_calibrations WHERE workspace_id = :workspace_id RETURNING judge_model

-- name: calibrated
-- What `RECALIBRATE` puts back.
SELECT (SELECT cascade_calibration FROM evaluation_policies WHERE workspace_id = :workspace_id),
    (SELECT COALESCE(jsonb_agg(c), '[]') FROM judge_calibrations c
     WHERE c.workspace_id = :workspace_id) AS calibrations

-- name: recalibrate
-- Guarantees that were made since stay.
WITH thresholds AS (
    UPDATE evaluation_policies
    SET cascade_calibration = NULLIF(CAST(:given AS jsonb) -> 'cascade_calibration', 'null')
    WHERE workspace_id = :workspace_id
)
INSERT INTO judge_calibrations ({calibration})
SELECT {calibration} FROM jsonb_populate_recordset(
    NULL::judge_calibrations, CAST(:given AS jsonb) -> 'calibrations')
WHERE workspace_id = :workspace_id ON CONFLICT DO NOTHING

-- name: redactor
-- No row where the workspace does not have texts redacted.
SELECT redaction_key(p.workspace_id), p.redact_pattern FROM evaluation_policies p
WHERE p.workspace_id = {workspace_id} AND p.redact

-- name: zone_exists
-- PostgreSQL's own names, because it computes with them.
SELECT EXISTS (SELECT FROM pg_timezone_names WHERE name = :zone)

-- name: wake_deferred
-- What waits for money is looked at again under a changed policy.
UPDATE qa_evaluations SET run_at = now(), enqueued_at = NULL
WHERE workspace_id = :workspace_id AND status IN ({waiting})
  AND reason IN ({budget_reasons})

-- name: release_unbatched
-- Under a policy that wants no batches (any more); what is in one already stays there.
UPDATE qa_evaluations SET reason = NULL, run_at = now(), enqueued_at = NULL
WHERE workspace_id = :workspace_id AND reason = 'for_batch'

-- name: budget_today
WITH day AS (
    SELECT date_trunc('day', now() AT TIME ZONE :zone) AS local
), bounds AS (
    SELECT local AT TIME ZONE :zone AS day_start,
           (local + interval '1 day') AT TIME ZONE :zone AS day_end
    FROM day
)
SELECT b.day_start, b.day_end,
       COALESCE(s.cost_usd, 0)::float8 AS spent_usd,
       (SELECT COALESCE(sum(e.cost_estimate_usd), 0)::float8 FROM qa_evaluations e
        WHERE e.workspace_id = :workspace_id AND e.status = 'running')
       + (SELECT COALESCE(sum(h.cost_usd), 0)::float8 FROM budget_holds h
          WHERE h.workspace_id = :workspace_id AND h.held_until > now()) AS held_usd,
       (SELECT count(*) FROM qa_evaluations e
        WHERE e.workspace_id = :workspace_id AND e.status IN ({waiting})
          AND e.reason = 'budget_spent') AS deferred
FROM bounds b
LEFT JOIN judge_spending s ON s.workspace_id = :workspace_id AND s.day_start = b.day_start

-- name: hold
SELECT * FROM hold_budget({workspace_id}, {work_id}, {piece_no}, CAST({cost_usd} AS numeric),
                          CAST({seconds} AS float8))

-- name: drop_holds
-- Of all pieces of a work, which has ended.
DELETE FROM budget_holds WHERE workspace_id = :workspace_id AND work_id = :work_id

-- name: drop_hold
DELETE FROM budget_holds WHERE work_id = :work_id AND piece_no = :piece_no

-- name: count_spending
-- The row of a day is there once somebody has asked for money of its budget.
UPDATE judge_spending SET cost_usd = LEAST(cost_usd + :cost_usd, 999999)
WHERE workspace_id = :workspace_id AND day_start <= now() AND now() < day_end

-- name: recent_answers
-- How many answers there were in the last seven days, over how many days, and some of them, chosen
-- by their ids, with what a policy and a price depend on.
SELECT r.total, r.days, a.id, a.feature, a.lang, a.notebook_id,
    char_length(a.answer) AS answer_chars,
    octet_length(a.question) + COALESCE(octet_length(a.history::text), 0) AS question_bytes,
    octet_length(a.answer) AS answer_bytes, COALESCE(notes.bytes, 0) AS note_bytes
FROM (
    SELECT answer_id, count(*) OVER () AS total,
        EXTRACT(epoch FROM now() - min(answered_at) OVER ())::float8 / 86400 AS days
    FROM qa_evaluations
    WHERE workspace_id = :workspace_id AND is_current
        AND answered_at >= now() - interval '7 days'
    ORDER BY uuid_hash(answer_id) LIMIT :sample
) r
JOIN qa_answers a ON a.id = r.answer_id
LEFT JOIN LATERAL (
    SELECT sum(octet_length(s.content))::bigint AS bytes FROM qa_answer_sources s
    WHERE s.answer_id = a.id
) notes ON true
