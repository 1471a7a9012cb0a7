-- Answers and their sources.

-- name: insert
-- One statement, because each way to the database delays the answer's reader. It inserts nothing
-- where the policy has texts redacted and these are not.
WITH given AS (
    SELECT WHERE %(redacted)s OR NOT EXISTS (
        SELECT FROM evaluation_policies WHERE workspace_id = %(workspace_id)s AND redact)
), sources AS (
    INSERT INTO qa_answer_sources
        (workspace_id, answer_id, note_index, note_id, title, content, score)
    SELECT %(workspace_id)s, %(id)s, s.*
    FROM given, jsonb_to_recordset(%(sources)s::jsonb) AS s(
        note_index int, note_id uuid, title text, content text, score float8)
)
INSERT INTO qa_answers (
    id, workspace_id, question, answer, lang, feature, origin, provider, model, notebook_id,
    search_method, events, evidence, profile, slots, search_ms, first_chunk_ms, latency_ms,
    prompt_tokens, completion_tokens, idempotency_key, request_hash, traceparent,
    app_version, environment, user_ref, session_id, tags, attributes, history,
    standalone_question)
SELECT
    %(id)s, %(workspace_id)s, %(question)s, %(answer)s, %(lang)s, %(feature)s, %(origin)s,
    %(provider)s, %(model)s, %(notebook_id)s, %(search_method)s, %(events)s, %(evidence)s,
    %(profile)s, %(slots)s, %(search_ms)s, %(first_chunk_ms)s, %(latency_ms)s,
    %(prompt_tokens)s, %(completion_tokens)s, %(idempotency_key)s, %(request_hash)s,
    %(traceparent)s, %(app_version)s, %(environment)s,
    stored_user_ref(%(workspace_id)s, %(user_ref)s), %(session_id)s, %(tags)s, %(attributes)s,
    %(history)s, %(standalone_question)s
FROM given
RETURNING

-- name: session_turns
SELECT question, answer FROM qa_answers
WHERE workspace_id = %(workspace_id)s AND session_id = %(session_id)s AND id < %(id)s
ORDER BY id DESC LIMIT %(limit)s
