-- Each judgement, counted. Scores are in billionths, so that sums are exact in whatever order they
-- are added up.
SELECT v.answered_at AS at, v.judge_key, v.judge_model, v.made_by, v.prompt_version,
    v.is_current, v.status = 'skipped' AS is_skipped, v.reason, v.lang::text AS lang,
    v.feature::text AS feature, v.answer_model, v.search_method::text AS search_method,
    1 AS answers,
    (v.status = 'succeeded')::int AS judged,
    (v.correctness IS NOT NULL AND NOT v.degraded)::int AS scored,
    (NOT v.decided AND NOT v.degraded)::int AS undecided,
    v.degraded::int AS degraded,
    (v.status = 'skipped')::int AS skipped,
    (v.status = 'failed')::int AS failed,
    (v.status IN ({unfinished}))::int AS pending,
    CASE WHEN NOT v.degraded THEN (v.correctness * 1e9)::int8 END AS correctness,
    CASE WHEN NOT v.degraded THEN (v.correctness * 1e9)::int8 * (v.correctness * 1e9)::int8 END
        AS correctness_squares,
    (v.utility IS NOT NULL AND NOT v.degraded)::int AS with_utility,
    CASE WHEN NOT v.degraded THEN (v.utility * 1e9)::int8 END AS utility,
    CASE WHEN NOT v.degraded THEN (v.utility * 1e9)::int8 * (v.utility * 1e9)::int8 END
        AS utility_squares,
    CASE WHEN NOT v.degraded THEN (v.confidence = 'high')::int END AS high,
    CASE WHEN NOT v.degraded AND v.outcome IS DISTINCT FROM 'rightly_refused'
        THEN (v.confidence = 'medium')::int END AS medium,
    CASE WHEN NOT v.degraded THEN (v.confidence = 'low')::int END AS low,
    (v.claims_supported + v.claims_partly + v.claims_unsupported > 0)::int AS with_claims,
    v.claims_supported::int AS claims_supported,
    v.claims_partly::int AS claims_partly,
    v.claims_unsupported::int AS claims_unsupported,
    v.claims_contradicted::int AS claims_contradicted,
    v.claims_not_in_notes::int AS claims_not_in_notes,
    v.claims_misattributed::int AS claims_misattributed,
    v.claims_stitched::int AS claims_stitched,
    (v.outcome = 'rightly_refused' AND NOT v.degraded)::int AS rightly_refused,
    (v.outcome = 'falsely_refused' AND NOT v.degraded)::int AS falsely_refused,
    (v.status = 'succeeded' AND NOT v.degraded)::int AS undegraded,
    (v.status = 'succeeded' AND NOT v.degraded AND v.from_cache)::int AS from_cache,
    v.attempts, v.tries, v.crashes,
    CASE WHEN v.correctness IS NOT NULL AND NOT v.degraded THEN v.requested_at END
        AS first_requested_at
FROM analytics.verdicts v
WHERE {filters}
