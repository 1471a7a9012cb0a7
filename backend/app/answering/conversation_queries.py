"""SQL on conversations. Ids of answers are UUIDv7: their order is that of asking."""

from sqlalchemy import text

# For psycopg, in the transaction that stores the answer.
ADD_ANSWER = b"""
WITH conversation AS (
    INSERT INTO conversations (workspace_id, owner, id)
    VALUES (%(workspace_id)s, %(owner)s, %(id)s)
    ON CONFLICT (workspace_id, owner, id) DO UPDATE SET last_asked_at = now()
)
INSERT INTO conversation_answers (answer_id, workspace_id, owner, conversation_id)
VALUES (%(answer_id)s, %(workspace_id)s, %(owner)s, %(id)s)
"""

# For psycopg, newest first.
TURNS = b"""
SELECT a.question, a.answer FROM conversation_answers l JOIN qa_answers a ON a.id = l.answer_id
WHERE l.workspace_id = %(workspace_id)s AND l.owner = %(owner)s AND l.conversation_id = %(id)s
ORDER BY l.answer_id DESC LIMIT %(limit)s
"""

_OWN = "c.workspace_id = :workspace_id AND c.owner = :owner"
_ANSWERS = """conversation_answers l JOIN qa_answers a ON a.id = l.answer_id
    WHERE (l.workspace_id, l.owner, l.conversation_id) = (c.workspace_id, c.owner, c.id)"""
_CONVERSATIONS = f"""
SELECT c.id, c.title IS NOT NULL AS named, c.created_at, c.last_asked_at,
    COALESCE(c.title, (SELECT left(a.question, :max_title) FROM {_ANSWERS}
                       ORDER BY l.answer_id LIMIT 1)) AS title,
    (SELECT count(*) FROM {_ANSWERS}) AS answers
FROM conversations c
WHERE {_OWN}
"""
ONE = text(f"{_CONVERSATIONS} AND c.id = :id")
PAGE = text(f"""
{_CONVERSATIONS}
  AND (CAST(:before AS timestamptz) IS NULL
       OR (c.last_asked_at, c.id) < (:before, CAST(:before_id AS uuid)))
  AND (CAST(:containing AS text) IS NULL
       OR position(lower(:containing) IN lower(c.title)) > 0
       OR EXISTS (SELECT FROM {_ANSWERS}
                  AND position(lower(:containing) IN lower(a.question)) > 0))
ORDER BY c.last_asked_at DESC, c.id DESC LIMIT :limit
""")

# Newest first.
ANSWERS = text("""
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
""")
ANSWER_IDS = text("""
SELECT answer_id FROM conversation_answers
WHERE workspace_id = :workspace_id AND owner = :owner AND conversation_id = :id
""")
RENAME = text("""
UPDATE conversations SET title = :title
WHERE workspace_id = :workspace_id AND owner = :owner AND id = :id
""")
DELETE = text("""
DELETE FROM conversations
WHERE workspace_id = :workspace_id AND owner = :owner AND id = :id RETURNING id
""")
