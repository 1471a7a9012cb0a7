-- Whole notes of a category, and of a subcategory unless that is NULL: those that hold most of the
-- words first.
--
-- wanted: chunks that may hold them, over the keys of note_keys, or NULL where every note of the
-- category is few enough to be read.
SELECT id AS note_id, title, content_text, category, tags FROM notes
WHERE workspace_id = :workspace_id
  AND (CAST(:notebook_id AS uuid) IS NULL OR notebook_id = :notebook_id)
  AND category = :category AND octet_length(category) <= 1000
  AND (CAST(:subcategory AS text) IS NULL OR subcategory = :subcategory)
  AND (CAST(:wanted AS text) IS NULL OR id = ANY (ARRAY(
      SELECT chunk.note_id FROM (
          SELECT id FROM note_matches(:workspace_id, :notebook_id, ARRAY[:wanted]) LIMIT 5000
      ) AS found JOIN note_chunks AS chunk USING (id))))
ORDER BY (SELECT count(*) FROM unnest(CAST(:words AS text[])) AS word
          WHERE strpos(lower(title || ' ' || content_text), lower(word)) > 0) DESC,
         subcategory, title, id
LIMIT :limit
