-- Whole notes of a place that hold a word, also as a part of another; those with it in the title first.
--
-- beginning: terms that begin with the word, over the keys of note_keys. The texts of a large
-- collection cannot be read for one question: there the word is found at the beginning of a term only.
WITH collection AS MATERIALIZED (
    SELECT sample = 0 AS is_small FROM note_collection(:workspace_id, :notebook_id)
),
holding AS (
    SELECT note.* FROM notes AS note
    WHERE (SELECT is_small FROM collection) AND workspace_id = :workspace_id
      AND (CAST(:notebook_id AS uuid) IS NULL OR notebook_id = :notebook_id)
      AND (strpos(lower(title), lower(:word)) > 0 OR strpos(lower(content_text), lower(:word)) > 0)
    UNION ALL
    SELECT note.* FROM notes AS note
    WHERE NOT (SELECT is_small FROM collection) AND workspace_id = :workspace_id
      AND id = ANY (ARRAY(
          SELECT chunk.note_id FROM (
              SELECT id FROM note_matches(:workspace_id, :notebook_id, ARRAY[:beginning]) LIMIT 1000
          ) AS found JOIN note_chunks AS chunk USING (id)))
)
SELECT id AS note_id, title, content_text, category, tags FROM holding
ORDER BY strpos(lower(title), lower(:word)) = 0, title, id LIMIT :limit
