-- Ends attempts: a verdict, a retry, a failure, a pause and a release differ only in the values of
-- their row. A row whose lease was lost in the meantime matches nothing and writes nothing.
--
-- rows: JSON, one object for each lease (record_rows.py). lease, pause: seconds. breaker_failures,
-- breaker_window, breaker_probe: how many failures within how many seconds open the circuit breaker
-- of a judge, and when it is probed. Returns the ids that were written.
--
-- `held` is 'running', passed as a column so that the planner avoids the partial index on running
-- rows (empty when plans are made, a thousand rows later) for the few whose ids are given.
--
-- The extension stands for further CTEs over `recorded`, with columns id, workspace_id and
-- refine_job (NULL where the answer needs no improvement); see RecordExtension. Where all rows are
-- plain it is left out, and so are `rest` (record_rest.sql) and `calls`.
WITH given AS (
    SELECT *, 'running' AS held FROM jsonb_to_recordset(%(rows)s::jsonb) AS r(
        id uuid, attempt int, status text, reason text, error text, delay float8, tried int,
        correctness float8, utility float8, confidence text, outcome text, summary text,
        degraded bool,
        provider text, model text, prompt_version text, prompt_tokens int, completion_tokens int,
        cost_usd numeric, judge_ms float8, judge_model text, discards jsonb, pauses text,
        overall_score float8, needs_improvement bool, probability float8, refine_job uuid,
        claims_supported int2, claims_partly int2, claims_unsupported int2,
        claims_contradicted int2, claims_not_in_notes int2, claims_misattributed int2,
        claims_stitched int2,
        cited_notes int2[], misquoted_notes int2[],
        answer_chars int, judged_answer_chars int, note_chars int, judged_note_chars int,
        next_model text, fallback_because text, judge_failure text, judge_rest float8,
        sources jsonb, issues jsonb, claims jsonb, scores jsonb, sums_calls bool, from_cache bool,
        step jsonb)
), promoted AS (
    -- Locked before anything is written: whose lease is lost takes no verdict's place.
    SELECT e.id, e.answer_id FROM given g JOIN qa_evaluations e ON e.id = g.id
    WHERE NOT e.is_current AND g.status = 'succeeded' AND NOT g.degraded
      AND e.attempt = g.attempt AND e.status = g.held
    FOR UPDATE OF e
), demoted AS (
    UPDATE qa_evaluations old SET is_current = false, recheck_after = NULL FROM promoted p
    WHERE old.answer_id = p.answer_id AND old.is_current
    RETURNING old.id, old.workspace_id, old.status
), recorded AS (
    UPDATE qa_evaluations e SET
        is_current = e.is_current OR EXISTS (SELECT FROM promoted p WHERE p.id = e.id),
        judge_key = e.judge_key || CASE WHEN g.degraded THEN '{degraded_mode}' ELSE '' END,
        status = g.status,
        reason = CASE WHEN EXISTS (SELECT FROM judge_pauses p WHERE p.judge_model = g.next_model)
            THEN 'judge_paused' ELSE g.reason END,
        error = g.error,
        judge_model = COALESCE(g.next_model, e.judge_model),
        cost_estimate_usd = CASE WHEN g.reason = 'cascade'
            THEN e.cascade_costs[array_position(e.cascade, g.next_model)]
            ELSE e.cost_estimate_usd END,
        -- Whoever records a step has the next one judged without another message.
        enqueued_at = CASE WHEN g.reason = 'cascade' THEN now() END,
        fallback_because = NULLIF(
            concat_ws('; ', e.fallback_because, g.fallback_because), ''),
        tries = CASE WHEN g.next_model IS NULL THEN e.tries + g.tried ELSE 0 END,
        run_at = now() + make_interval(secs => g.delay),
        finished_at = CASE WHEN g.status IN ({final}) THEN now() END,
        -- What judges are to be asked about once they are back, see recheck.sql.
        recheck_after = CASE WHEN g.degraded OR (
            g.status = 'failed' AND NOT e.is_current AND g.error LIKE 'transient:%%' AND EXISTS (
                SELECT FROM qa_evaluations d
                WHERE d.answer_id = e.answer_id AND d.is_current
                  AND d.judge_key = e.judge_key || '{degraded_mode}')) THEN now() END,
        correctness = g.correctness,
        utility = g.utility,
        confidence = g.confidence,
        outcome = g.outcome,
        summary = g.summary,
        overall_score = g.overall_score,
        needs_improvement = g.needs_improvement,
        probability = g.probability,
        claims_supported = g.claims_supported,
        claims_partly = g.claims_partly,
        claims_unsupported = g.claims_unsupported,
        claims_contradicted = g.claims_contradicted,
        claims_not_in_notes = g.claims_not_in_notes,
        claims_misattributed = g.claims_misattributed,
        claims_stitched = g.claims_stitched,
        cited_notes = g.cited_notes,
        misquoted_notes = g.misquoted_notes,
        answer_chars = g.answer_chars,
        judged_answer_chars = g.judged_answer_chars,
        note_chars = g.note_chars,
        judged_note_chars = g.judged_note_chars,
        degraded = g.degraded,
        from_cache = g.from_cache,
        provider = g.provider,
        model = g.model,
        prompt_version = g.prompt_version,
        prompt_tokens = COALESCE(spent.prompt_tokens, g.prompt_tokens),
        completion_tokens = COALESCE(spent.completion_tokens, g.completion_tokens),
        cost_usd = COALESCE(spent.cost_usd, g.cost_usd),
        judge_ms = g.judge_ms
    FROM given g
    {calls}
    WHERE e.id = g.id AND e.attempt = g.attempt AND e.status = g.held
      -- Counted so that the old verdicts have given their places up before new ones take them.
      AND (SELECT count(*) FROM demoted) >= 0
    RETURNING e.id, e.workspace_id, g.status, g.sources, g.issues, g.claims, g.scores,
              g.judge_model, g.discards, g.pauses, g.degraded, g.judge_failure, g.judge_rest,
              g.from_cache, g.step, e.attempt, e.reason,
              CASE WHEN e.auto_refine THEN g.refine_job END AS refine_job,
              e.lease_until - make_interval(secs => %(lease)s) AS claimed_at
), sources AS (
    INSERT INTO qa_evaluation_sources
        (workspace_id, evaluation_id, note_index, cited, relevant_claim, quote, quote_found)
    SELECT r.workspace_id, r.id, s.*
    FROM recorded r, jsonb_to_recordset(r.sources) AS s(
        note_index int, cited bool, relevant_claim text, quote text, quote_found bool)
), issues AS (
    INSERT INTO qa_evaluation_issues (workspace_id, evaluation_id, position, kind, detail)
    SELECT r.workspace_id, r.id, i.*
    FROM recorded r, jsonb_to_recordset(r.issues) AS i(position int, kind text, detail text)
), claims AS (
    INSERT INTO qa_claims
        (workspace_id, evaluation_id, position, claim, verdict, fault, note_index, quote,
         quote_found, start_char, end_char, reasoning, source)
    SELECT r.workspace_id, r.id, c.*
    FROM recorded r, jsonb_to_recordset(r.claims) AS c(
        position int, claim text, verdict text, fault text, note_index int, quote text,
        quote_found bool, start_char int, end_char int, reasoning text, source text)
), scores AS (
    INSERT INTO qa_scores
        (workspace_id, evaluation_id, id, name, value, label, reasoning, source, details,
         criterion_version)
    SELECT r.workspace_id, r.id, s.*
    FROM recorded r, jsonb_to_recordset(r.scores) AS s(
        id uuid, name text, value float8, label text, reasoning text, source text, details jsonb,
        criterion_version int)
), served AS (
    -- A stored reply says nothing of whether the judge works.
    SELECT judge_model, max(claimed_at) AS claimed_at FROM recorded
    WHERE (status = 'succeeded' OR step ? 'correctness') AND NOT degraded AND NOT from_cache
    GROUP BY judge_model
), resumed AS (
    DELETE FROM judge_pauses p USING served s
    WHERE p.judge_model = s.judge_model AND (p.kind = 'failing' OR p.paused_at < s.claimed_at)
), recovered AS (
    DELETE FROM judge_failures f USING served s WHERE f.judge_model = s.judge_model
){rest}, events AS (
    INSERT INTO verdict_events (workspace_id, evaluation_id, status, attempt, reason)
    SELECT workspace_id, id, status, attempt, reason FROM recorded
    UNION ALL SELECT workspace_id, id, status, NULL, NULL FROM demoted
), notified AS (SELECT pg_notify('{events_channel}', '') FROM recorded LIMIT 1)
{extension}
SELECT id, (SELECT count(*) FROM notified) FROM recorded
