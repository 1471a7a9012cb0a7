-- Notes and their chunks.

-- name: best_notes
{scored}, best AS (
    SELECT DISTINCT ON (note_id) note_id, id, content, score
    FROM scores
    ORDER BY note_id, score DESC, id
), first AS MATERIALIZED (
    SELECT * FROM best ORDER BY score DESC, note_id LIMIT :limit
)
SELECT note.id AS note_id, note.title, note.content_text, note.category, note.tags,
       first.id AS chunk_id, first.score, first.content
FROM first JOIN notes AS note ON note.id = first.note_id
ORDER BY first.score DESC, note.id

-- name: best_chunks
{scored}, first AS MATERIALIZED (
    SELECT * FROM scores ORDER BY score DESC, id LIMIT :limit
)
SELECT first.id AS chunk_id, first.note_id, note.title, first.content, first.score
FROM first JOIN notes AS note ON note.id = first.note_id
ORDER BY first.score DESC, first.id

-- name: is_large
SELECT (SELECT count(*) FROM (
    SELECT FROM notes
    WHERE workspace_id = :workspace_id
      AND category = :category AND octet_length(category) <= 1000
      AND (CAST(:subcategory AS text) IS NULL OR subcategory = :subcategory)
    LIMIT :most + 1
) AS note) > :most AND (CAST(:notebook_id AS uuid) IS NULL OR (SELECT count(*) FROM (
    SELECT FROM notes WHERE notebook_id = :notebook_id LIMIT :most + 1
) AS note) > :most)

-- name: add_chunks
-- One statement: for each row one of its own would cost a round trip, and the trigger's.
INSERT INTO note_chunks (workspace_id, notebook_id, id, note_id, position, content, terms, length)
SELECT :workspace_id, :notebook_id, id, note_id, position, content, CAST(terms AS tsvector), length
FROM unnest(CAST(:id AS uuid[]), CAST(:note_id AS uuid[]), CAST(:position AS integer[]),
            CAST(:content AS text[]), CAST(:terms AS text[]), CAST(:length AS integer[]))
    AS given (id, note_id, position, content, terms, length)
