/*
title_ko: 모든 평가
title_en: "All verdicts, one by one"
description: >-
  The flat rows behind the figures, the newest first, to be taken elsewhere.
listing: true
columns:
  - [evaluation_id, uuid, null, "Key of the row; GET /qa-evaluations/{id} shows it."]
  - [answer_id, uuid, null, "The answer."]
  - [notebook_id, uuid, null, "Notebook that was searched; NULL: all of them, or notes of the caller."]
  - [answered_at, timestamp, null, "When the answer was finished."]
  - [finished_at, timestamp, null, "When it ended, with a verdict or as failed."]
  - [lang, text, null, "Language of the question: ko or en."]
  - [feature, text, null, "Feature of the note app: search_qa, insight, writing, ..."]
  - [answer_model, text, null, "Model that answered, as provider:model where both are known."]
  - [search_method, text, null, "How notes were found; NULL where none were looked for."]
  - [is_current, boolean, null, "Whether this is the judgement that stands for the answer."]
  - [status, text, null, "queued, running, retrying, succeeded, failed or skipped."]
  - [reason, text, null, "Why it is skipped or waits."]
  - [degraded, boolean, null, "Whether rules stood in for a judge that failed. Left out of all averages."]
  - [judge_model, text, null, "Judge that was asked."]
  - [made_by, text, null, "Judge that made the verdict, as provider:model; NULL without a verdict."]
  - [prompt_version, text, null, "Version of the prompts, or of the rules."]
  - [correctness, number, 0..1, "Is every claim grounded in the notes? NULL without a verdict or if rightly_refused."]
  - [utility, number, 0..1, "Does it answer the question? NULL without a verdict or if rightly_refused."]
  - [confidence, text, null, "high, medium or low."]
  - [outcome, text, null, "Of rules: matches, mismatch, undecided; of all: rightly_refused, falsely_refused."]
  - [decided, boolean, null, "False where rules could not tell, and the scores say little."]
  - [contradicted, integer, claims, "Claims of which a note says otherwise; NULL if unknown."]
  - [not_in_notes, integer, claims, "Doubtful claims that no note says."]
  - [misattributed, integer, claims, "Claims that another note than the cited one says."]
  - [stitched, integer, claims, "Claims that join what no note joins."]
  - [overall_score, number, 0..1, "Of the four phases, 0 to 1."]
  - [prompt_tokens, integer, tokens, "Tokens sent, all calls together; NULL where unknown."]
  - [completion_tokens, integer, tokens, "Tokens received, all calls together; NULL where unknown."]
  - [cost_usd, number, USD, "US dollars, all calls together; NULL where no price is known."]
  - [queue_ms, number, ms, "Milliseconds from requested_at to started_at."]
  - [judge_ms, number, ms, "Milliseconds that the judge of the verdict took."]
  - [verdict_ms, number, ms, "Milliseconds from requested_at to finished_at."]
  - [question, text, null, "What was asked."]
  - [summary, text, null, "The judge's summary."]
  - [error, text, null, "Why it failed, is tried again, or is degraded."]
  - [app_version, text, null, "Release of the application that answered."]
  - [environment, text, null, "Where it runs."]
  - [user_ref, text, null, "Who asked; hmac: begins a hash."]
  - [session_id, text, null, "Dialogue that the answer belongs to."]
  - [tags, text, null, "Tags of the answer, by commas."]
  - [attributes, text, null, "The application's own keys, as JSON."]
*/
SELECT v.evaluation_id, v.answer_id, v.notebook_id, v.answered_at, v.finished_at, v.lang,
    v.feature, v.answer_model, v.search_method, v.is_current, v.status, v.reason, v.degraded,
    v.judge_model, v.made_by, v.prompt_version, v.correctness, v.utility, v.confidence,
    v.outcome, v.decided, v.claims_contradicted::int AS contradicted,
    v.claims_not_in_notes::int AS not_in_notes, v.claims_misattributed::int AS misattributed,
    v.claims_stitched::int AS stitched,
    v.overall_score, v.prompt_tokens, v.completion_tokens, v.cost_usd::float8 AS cost_usd,
    v.queue_ms, v.judge_ms, v.verdict_ms, v.question, v.summary, v.error,
    v.app_version, v.environment, v.user_ref, v.session_id,
    array_to_string(v.tags, ',') AS tags, v.attributes::text AS attributes
FROM analytics.verdicts v
WHERE {filters}
ORDER BY v.answered_at DESC, v.evaluation_id
