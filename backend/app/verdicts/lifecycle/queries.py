"""The SQL that moves a verdict from state to state. Every statement is one transaction and takes
its time from the database clock; those that change a status write the event that tells of it."""

from app.verdicts.lifecycle.outcome import MAX_COST_USD, MAX_TOKENS

# An event row is visible to subscribers after commit; the notification wakes them.
EVENTS_CHANNEL = "verdict_events"
# The kind of the job that improves a poor answer. It is put in with the verdict that calls for
# it, so that neither comes without the other.
REFINE_JOB = "refine"
# The mode of a verdict that rules gave in the judge's place, the end of its judge_key: the judge's
# own key stays free for the verdict that it gives once it is back.
DEGRADED_MODE = "/degraded"

# Rules judge in the place of a judge that is failing, which is not asked.
RULES_FALLBACK = "rules_fallback"

NOT_PAUSED = f"""(
    e.reason IN ('probe', '{RULES_FALLBACK}')
    OR NOT EXISTS (SELECT 1 FROM judge_pauses p WHERE p.judge_model = e.judge_model))"""

# What a worker asks before it claims rows that there may be no room for.
WAITING = """
SELECT id, judge_model, workspace_id FROM qa_evaluations
WHERE id = ANY(%(ids)s) AND status IN ('queued', 'retrying')
"""

# Workspaces with a daily budget are asked about in one order, because each of them is locked.
# A row is claimed only by a process of its queue, whatever message it came by: what has killed
# workers must not meet others. Refusals for a wrong configuration are no calls that were answered.
CLAIM = f"""
WITH free AS (
    SELECT e.id, e.workspace_id, e.cost_estimate_usd, e.judge_model, e.reason FROM qa_evaluations e
    WHERE e.id = ANY(%(ids)s) AND e.queue = ANY(%(queues)s)
      AND (e.status = 'queued' OR (e.status = 'retrying' AND e.run_at <= now()))
      AND {NOT_PAUSED}
    ORDER BY e.id FOR UPDATE OF e SKIP LOCKED
), costing AS MATERIALIZED (
    SELECT f.workspace_id, array_agg(f.id) AS ids
    FROM free f JOIN evaluation_policies p ON p.workspace_id = f.workspace_id
    -- Free judges take nothing from a budget; one whose price nobody knows waits for a price.
    WHERE p.daily_budget_usd IS NOT NULL AND (f.cost_estimate_usd > 0
        OR (f.cost_estimate_usd IS NULL AND f.judge_model !~ '^(offline|ollama):'))
    GROUP BY f.workspace_id ORDER BY f.workspace_id
), deferred AS MATERIALIZED (
    SELECT o.* FROM costing c, over_budget(c.workspace_id, c.ids) o
), put_off AS (
    UPDATE qa_evaluations e SET run_at = d.due_at, reason = d.why, enqueued_at = NULL
    FROM deferred d, qa_evaluations old WHERE e.id = d.evaluation_id AND old.id = e.id
    RETURNING e.id, e.workspace_id, e.status, old.reason IS DISTINCT FROM e.reason AS is_news
), claimed AS (
    UPDATE qa_evaluations e SET
        status = 'running',
        reason = NULL,
        attempt = e.attempt + 1,
        worker_id = %(worker_id)s,
        lease_until = now() + make_interval(secs => %(lease)s),
        run_at = now() + make_interval(secs => %(lease)s),
        enqueued_at = NULL,
        started_at = COALESCE(e.started_at, now()),
        queue_ms = COALESCE(e.queue_ms, extract(epoch FROM now() - e.created_at) * 1000)
    FROM free
    WHERE e.id = free.id AND NOT EXISTS (SELECT FROM deferred d WHERE d.evaluation_id = free.id)
    RETURNING e.id, e.workspace_id, e.answer_id, e.attempt, e.tries, e.judge_model, e.evaluators,
              e.judge_prompt, e.is_current, e.calls_counted_after, free.reason
), news AS (
    SELECT workspace_id, id, 'running' AS status FROM claimed
    UNION ALL SELECT workspace_id, id, status FROM put_off WHERE is_news
), events AS (
    INSERT INTO verdict_events (workspace_id, evaluation_id, status)
    SELECT workspace_id, id, status FROM news
), notified AS (SELECT pg_notify('{EVENTS_CHANNEL}', '') FROM news LIMIT 1)
SELECT c.id, c.workspace_id, c.attempt, c.tries, c.judge_model, c.evaluators,
       a.question, a.answer, a.lang, a.feature,
       COALESCE(s.titles, '{{}}'), COALESCE(s.contents, '{{}}'), a.evidence, c.judge_prompt,
       c.is_current, p.fallback_models, p.judge_fallback,
       CASE WHEN c.attempt = 1 THEN 0 ELSE (
           SELECT count(*) FROM judge_calls j
           WHERE j.evaluation_id = c.id AND j.attempt > c.calls_counted_after
             AND COALESCE(j.error, '') NOT LIKE 'configuration:%%') END,
       CASE WHEN c.reason = '{RULES_FALLBACK}' THEN (
           SELECT j.reason FROM judge_pauses j WHERE j.judge_model = c.judge_model) END,
       (SELECT count(*) FROM notified)
FROM claimed c
JOIN qa_answers a ON a.id = c.answer_id
LEFT JOIN evaluation_policies p ON p.workspace_id = c.workspace_id
LEFT JOIN LATERAL (
    SELECT array_agg(title ORDER BY note_index) AS titles,
           array_agg(content ORDER BY note_index) AS contents
    FROM qa_answer_sources WHERE answer_id = a.id
) s ON true
"""


def _at_most(limit: object, value: str) -> str:
    """NULL stays NULL, which LEAST would make the limit."""
    return f"CASE WHEN {value} > {limit} THEN {limit} ELSE {value} END"


# A verdict, a retry, a failure, a pause and a release differ only in the values of their row.
# `held` stands for 'running', because the index of all running rows, which is empty when plans are
# made and holds a thousand later, must not be looked through for a few whose ids are given.
RECORD = f"""
WITH given AS (
    SELECT *, 'running' AS held FROM jsonb_to_recordset(%(rows)s::jsonb) AS r(
        id uuid, attempt int, status text, reason text, error text, delay float8, tried int,
        correctness float8, utility float8, confidence text, summary text, degraded bool,
        provider text, model text, prompt_version text, prompt_tokens int, completion_tokens int,
        cost_usd numeric, judge_ms float8, judge_model text, discards jsonb, pauses text,
        overall_score float8, needs_improvement bool, refine_job uuid,
        claims_supported int2, claims_partly int2, claims_unsupported int2,
        cited_notes int2[], misquoted_notes int2[],
        answer_chars int, judged_answer_chars int, note_chars int, judged_note_chars int,
        next_model text, fallback_because text, judge_failure text, judge_rest float8,
        sources jsonb, issues jsonb, claims jsonb, scores jsonb, sums_calls bool)
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
        judge_key = e.judge_key || CASE WHEN g.degraded THEN '{DEGRADED_MODE}' ELSE '' END,
        status = g.status,
        reason = CASE WHEN EXISTS (SELECT FROM judge_pauses p WHERE p.judge_model = g.next_model)
            THEN 'judge_paused' ELSE g.reason END,
        error = g.error,
        judge_model = COALESCE(g.next_model, e.judge_model),
        fallback_because = NULLIF(
            concat_ws('; ', e.fallback_because, g.fallback_because), ''),
        tries = CASE WHEN g.next_model IS NULL THEN e.tries + g.tried ELSE 0 END,
        run_at = now() + make_interval(secs => g.delay),
        finished_at = CASE WHEN g.status IN ('succeeded', 'failed') THEN now() END,
        -- What judges are to be asked about once they are back, see recheck_queries.
        recheck_after = CASE WHEN g.degraded OR (
            g.status = 'failed' AND NOT e.is_current AND g.error LIKE 'transient:%%' AND EXISTS (
                SELECT FROM qa_evaluations d
                WHERE d.answer_id = e.answer_id AND d.is_current
                  AND d.judge_key = e.judge_key || '{DEGRADED_MODE}')) THEN now() END,
        correctness = g.correctness,
        utility = g.utility,
        confidence = g.confidence,
        summary = g.summary,
        overall_score = g.overall_score,
        needs_improvement = g.needs_improvement,
        claims_supported = g.claims_supported,
        claims_partly = g.claims_partly,
        claims_unsupported = g.claims_unsupported,
        cited_notes = g.cited_notes,
        misquoted_notes = g.misquoted_notes,
        answer_chars = g.answer_chars,
        judged_answer_chars = g.judged_answer_chars,
        note_chars = g.note_chars,
        judged_note_chars = g.judged_note_chars,
        degraded = g.degraded,
        provider = g.provider,
        model = g.model,
        prompt_version = g.prompt_version,
        prompt_tokens = COALESCE(spent.prompt_tokens, g.prompt_tokens),
        completion_tokens = COALESCE(spent.completion_tokens, g.completion_tokens),
        cost_usd = COALESCE(spent.cost_usd, g.cost_usd),
        judge_ms = g.judge_ms
    FROM given g
    LEFT JOIN LATERAL (
        -- As much as the columns hold: a vendor's odd counts must not keep a row from its end.
        SELECT {_at_most(MAX_TOKENS, "sum(prompt_tokens)")} AS prompt_tokens,
               {_at_most(MAX_TOKENS, "sum(completion_tokens)")} AS completion_tokens,
               {_at_most(MAX_COST_USD, "sum(cost_usd)")} AS cost_usd
        FROM judge_calls WHERE evaluation_id = g.id AND g.sums_calls
    ) spent ON true
    WHERE e.id = g.id AND e.attempt = g.attempt AND e.status = g.held
      -- Counted so that the old verdicts have given their places up before new ones take them.
      AND (SELECT count(*) FROM demoted) >= 0
    RETURNING e.id, e.workspace_id, g.status, g.sources, g.issues, g.claims, g.scores,
              g.judge_model, g.discards, g.pauses, g.degraded, g.judge_failure, g.judge_rest,
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
        (workspace_id, evaluation_id, position, claim, verdict, note_index, quote, quote_found,
         start_char, end_char, reasoning, source)
    SELECT r.workspace_id, r.id, c.*
    FROM recorded r, jsonb_to_recordset(r.claims) AS c(
        position int, claim text, verdict text, note_index int, quote text, quote_found bool,
        start_char int, end_char int, reasoning text, source text)
), scores AS (
    INSERT INTO qa_scores
        (workspace_id, evaluation_id, id, name, value, label, reasoning, source, details)
    SELECT r.workspace_id, r.id, s.*
    FROM recorded r, jsonb_to_recordset(r.scores) AS s(
        id uuid, name text, value float8, label text, reasoning text, source text, details jsonb)
), improving AS (
    INSERT INTO jobs (id, workspace_id, kind, payload, dedupe_key)
    SELECT refine_job, workspace_id, '{REFINE_JOB}', jsonb_build_object('evaluation_id', id),
           id::text
    FROM recorded WHERE refine_job IS NOT NULL
    ON CONFLICT DO NOTHING
    RETURNING id, workspace_id, dedupe_key::uuid AS evaluation_id
), refinements AS (
    INSERT INTO refinements
        (id, workspace_id, evaluation_id, threshold, max_iterations, automatic)
    SELECT i.id, i.workspace_id, i.evaluation_id,
           COALESCE(p.refine_threshold, %(refine_threshold)s),
           COALESCE(p.refine_iterations, %(refine_iterations)s), true
    FROM improving i LEFT JOIN evaluation_policies p ON p.workspace_id = i.workspace_id
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
), served AS (
    SELECT judge_model, max(claimed_at) AS claimed_at FROM recorded
    WHERE status = 'succeeded' AND NOT degraded GROUP BY judge_model
), resumed AS (
    DELETE FROM judge_pauses p USING served s
    WHERE p.judge_model = s.judge_model AND (p.kind = 'failing' OR p.paused_at < s.claimed_at)
), recovered AS (
    DELETE FROM judge_failures f USING served s WHERE f.judge_model = s.judge_model
), failures AS (
    INSERT INTO judge_failures AS f (judge_model, failed_at)
    SELECT judge_model, array_fill(now(), ARRAY[least(count(*), %(breaker_failures)s)::int])
    FROM recorded WHERE judge_failure IS NOT NULL
      AND judge_model NOT IN (SELECT judge_model FROM served)
    GROUP BY judge_model ORDER BY judge_model
    ON CONFLICT (judge_model) DO UPDATE SET
        failed_at = (f.failed_at || excluded.failed_at)[
            greatest(1, cardinality(f.failed_at || excluded.failed_at)
                        - %(breaker_failures)s::int + 1):]
    RETURNING judge_model, failed_at
), opened AS (
    -- A server that names a time is not probed before it.
    INSERT INTO judge_pauses AS p (judge_model, kind, reason, probe_at, probe_seconds)
    SELECT DISTINCT ON (r.judge_model) r.judge_model, 'failing', r.judge_failure,
        now() + make_interval(secs => greatest(%(breaker_probe)s, r.judge_rest)),
        %(breaker_probe)s
    FROM recorded r JOIN failures f ON f.judge_model = r.judge_model
    WHERE r.judge_failure IS NOT NULL AND cardinality(f.failed_at) >= %(breaker_failures)s
      AND f.failed_at[1] > now() - make_interval(secs => %(breaker_window)s)
      AND r.judge_model NOT IN (SELECT judge_model FROM recorded WHERE pauses IS NOT NULL)
    ORDER BY r.judge_model, r.judge_rest DESC
    ON CONFLICT (judge_model) DO UPDATE
        SET reason = excluded.reason, probe_at = greatest(p.probe_at, excluded.probe_at)
        WHERE p.kind = 'failing'
), events AS (
    INSERT INTO verdict_events (workspace_id, evaluation_id, status)
    SELECT workspace_id, id, status FROM recorded
    UNION ALL SELECT workspace_id, id, status FROM demoted
), notified AS (SELECT pg_notify('{EVENTS_CHANNEL}', '') FROM recorded LIMIT 1)
SELECT id, (SELECT count(*) FROM notified) FROM recorded
"""

# The day's spending is counted with the replies that made it, where somebody wants it counted.
# Locked in one order, as claims do.
STASH = """
WITH stored AS (
    INSERT INTO judge_calls (id, workspace_id, evaluation_id, attempt, request_hash, provider,
        model, content, body, prompt_tokens, completion_tokens, cost_usd, latency_ms, error)
    SELECT * FROM jsonb_to_recordset(%(rows)s::jsonb) AS r(
        id uuid, workspace_id uuid, evaluation_id uuid, attempt int, request_hash text,
        provider text, model text, content text, body text, prompt_tokens int,
        completion_tokens int, cost_usd numeric, latency_ms float8, error text)
    ON CONFLICT (id) DO NOTHING
    RETURNING workspace_id, cost_usd
), spent AS (
    SELECT workspace_id, sum(cost_usd) AS cost_usd FROM stored
    WHERE cost_usd > 0 GROUP BY workspace_id
), counted AS MATERIALIZED (
    SELECT s.workspace_id, s.day_start, spent.cost_usd
    FROM judge_spending s JOIN spent ON spent.workspace_id = s.workspace_id
    WHERE s.day_start <= now() AND now() < s.day_end
    ORDER BY s.workspace_id, s.day_start FOR UPDATE OF s
)
UPDATE judge_spending s SET cost_usd = LEAST(s.cost_usd + counted.cost_usd, 999999)
FROM counted WHERE s.workspace_id = counted.workspace_id AND s.day_start = counted.day_start
"""

STASHED = """
SELECT DISTINCT ON (request_hash) request_hash, content, provider, model,
    prompt_tokens, completion_tokens, cost_usd, latency_ms
FROM judge_calls
WHERE evaluation_id = %(id)s AND content IS NOT NULL AND NOT discarded
ORDER BY request_hash, id
"""
