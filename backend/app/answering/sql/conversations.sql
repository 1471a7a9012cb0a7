-- Conversations.

-- name: add_answer
-- For psycopg, in the transaction that stores the answer.
WITH conversation AS (
    INSERT INTO conversations (workspace_id, owner, id)
    VALUES (%(workspace_id)s, %(owner)s, %(id)s)
    ON CONFLICT (workspace_id, owner, id) DO UPDATE SET last_asked_at = now()
)
INSERT INTO conversation_answers (answer_id, workspace_id, owner, conversation_id)
VALUES (%(answer_id)s, %(workspace_id)s, %(owner)s, %(id)s)

-- name: turns
-- For psycopg, newest first.
SELECT a.question, a.answer FROM conversation_answers l JOIN qa_answers a ON a.id = l.answer_id
WHERE l.workspace_id = %(workspace_id)s AND l.owner = %(owner)s AND l.conversation_id = %(id)s
ORDER BY l.answer_id DESC LIMIT %(limit)s

-- name: answers_of
conversation_answers l JOIN qa_answers a ON a.id = l.answer_id
    WHERE (l.workspace_id, l.owner, l.conversation_id) = (c.workspace_id, c.owner, c.id)

-- name: conversations
SELECT c.id, c.title IS NOT NULL AS named, c.created_at, c.last_asked_at,
    COALESCE(c.title, (SELECT left(a.question, :max_title) FROM {answers_of}
                       ORDER BY l.answer_id LIMIT 1)) AS title,
    (SELECT count(*) FROM {answers_of}) AS answers
FROM conversations c
WHERE c.workspace_id = :workspace_id AND c.owner = :owner

-- name: one
{conversations} AND c.id = :id

-- name: page
{conversations}
  AND (CAST(:before AS timestamptz) IS NULL
       OR (c.last_asked_at, c.id) < (:before, CAST(:before_id AS uuid)))
  AND (CAST(:containing AS text) IS NULL
       OR position(lower(:containing) IN lower(c.title)) > 0
       OR EXISTS (SELECT FROM {answers_of}
                  AND position(lower(:containing) IN lower(a.question)) > 0))
ORDER BY c.last_asked_at DESC, c.id DESC LIMIT :limit

-- name: answers
-- Newest first.
SELECT a.id, a.question, a.standalone_question, a.answer, a.lang, a.feature, a.notebook_id,
    a.created_at,
    e.id AS evaluation_id, e.status, e.reason, e.error,
    (SELECT COALESCE(json_agg(json_build_object('note_index', s.note_index, 'note_id', s.note_id,
        'title', s.title, 'score', s.score) ORDER BY s.note_index), '[]')
     FROM qa_answer_sources s WHERE s.answer_id = a.id) AS matched_notes
FROM conversation_answers l
    JOIN qa_answers a ON a.id = l.answer_id
    JOIN qa_evaluations e ON e.answer_id = a.id AND e.is_current
WHERE l.workspace_id = :workspace_id AND l.owner = :owner AND l.conversation_id = :id
  AND (CAST(:after AS uuid) IS NULL OR l.answer_id < :after)
ORDER BY l.answer_id DESC LIMIT :limit

-- name: answer_ids
SELECT answer_id FROM conversation_answers
WHERE workspace_id = :workspace_id AND owner = :owner AND conversation_id = :id

-- name: rename
UPDATE conversations SET title = :title
WHERE workspace_id = :workspace_id AND owner = :owner AND id = :id

-- name: delete
DELETE FROM conversations
WHERE workspace_id = :workspace_id AND owner = :owner AND id = :id RETURNING id
