-- What few outcomes need besides, CTEs of the statement that ends attempts (record.sql): steps of a
-- cascade, replies of no use, and judges that are paused or fail. Most tables of it are in partitions,
-- and making them ready takes longer than a verdict does, so a plain statement goes without.
, steps AS (
    INSERT INTO qa_cascade_steps
        (workspace_id, evaluation_id, position, attempt, judge_model, prompt_tokens,
         completion_tokens, cost_usd, prompt_version, correctness, utility, confidence, sure,
         checked, decided, judge_ms, error)
    SELECT r.workspace_id, r.id, before.steps + 1,
        r.attempt, r.judge_model, spent.prompt_tokens, spent.completion_tokens, spent.cost_usd, s.*
    FROM recorded r CROSS JOIN LATERAL jsonb_to_record(r.step) AS s(
        prompt_version text, correctness float8, utility float8, confidence text, sure bool,
        checked bool, decided bool, judge_ms float8, error text)
    CROSS JOIN LATERAL (
        SELECT count(*) AS steps, COALESCE(max(attempt), 0) AS attempt
        FROM qa_cascade_steps WHERE evaluation_id = r.id
    ) before
    LEFT JOIN LATERAL (
        -- A judge that stands in for the last one may have been a step already.
        SELECT {spent} FROM judge_calls c
        WHERE c.evaluation_id = r.id AND c.attempt > before.attempt
          AND c.provider || ':' || c.model = r.judge_model
    ) spent ON true
    WHERE r.step IS NOT NULL
), discarded AS (
    UPDATE judge_calls c SET discarded = true
    FROM recorded r
    WHERE c.evaluation_id = r.id AND r.discards <> '[]' AND r.discards ? c.request_hash
), paused AS (
    INSERT INTO judge_pauses (judge_model, reason, probe_at)
    SELECT DISTINCT ON (judge_model)
        judge_model, pauses, now() + make_interval(secs => %(pause)s)
    FROM recorded WHERE pauses IS NOT NULL
    ON CONFLICT (judge_model) DO UPDATE
        SET reason = excluded.reason, probe_at = excluded.probe_at, paused_at = now(),
            kind = 'configuration', probe_seconds = NULL
), failures AS (
    INSERT INTO judge_failures AS f (judge_model, failed_at, unusable_ids)
    SELECT judge_model, array_fill(now(), ARRAY[least(count(*), %(breaker_failures)s)::int]),
        COALESCE(array_agg(id) FILTER (WHERE judge_failure = '{unusable}'), '{{}}')
    FROM recorded WHERE judge_failure IS NOT NULL
      AND judge_model NOT IN (SELECT judge_model FROM served)
    GROUP BY judge_model ORDER BY judge_model
    ON CONFLICT (judge_model) DO UPDATE SET
        failed_at = (f.failed_at || excluded.failed_at)[
            greatest(1, cardinality(f.failed_at || excluded.failed_at)
                        - %(breaker_failures)s::int + 1):],
        unusable_ids = ARRAY(
            SELECT DISTINCT unnest(f.unusable_ids || excluded.unusable_ids)
            LIMIT {unsuitable_answers})
    RETURNING judge_model, failed_at, unusable_ids
), opened AS (
    -- A server that names a time is not probed before it, nor is a judge that never gave a reply
    -- that could be used for a day.
    INSERT INTO judge_pauses AS p (judge_model, kind, reason, probe_at, probe_seconds)
    SELECT DISTINCT ON (r.judge_model) r.judge_model, 'failing',
        CASE WHEN unsuitable THEN '{unsuitable}' ELSE r.judge_failure END,
        now() + CASE WHEN unsuitable THEN interval '{unsuitable_probe}' ELSE
            make_interval(secs => greatest(%(breaker_probe)s, r.judge_rest)) END,
        %(breaker_probe)s
    FROM recorded r JOIN failures f ON f.judge_model = r.judge_model
    CROSS JOIN LATERAL (
        SELECT r.judge_failure = '{unusable}'
            AND cardinality(f.unusable_ids) >= {unsuitable_answers} AS unsuitable
    ) u
    WHERE r.judge_failure IS NOT NULL AND (unsuitable OR (
        cardinality(f.failed_at) >= %(breaker_failures)s
        AND f.failed_at[1] > now() - make_interval(secs => %(breaker_window)s)))
      AND r.judge_model NOT IN (SELECT judge_model FROM recorded WHERE pauses IS NOT NULL)
    ORDER BY r.judge_model, unsuitable DESC, r.judge_rest DESC
    ON CONFLICT (judge_model) DO UPDATE
        SET reason = excluded.reason, probe_at = greatest(p.probe_at, excluded.probe_at)
        WHERE p.kind = 'failing'
)
