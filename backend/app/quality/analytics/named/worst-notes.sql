/*
title_ko: 근거가 약한 답변을 낳는 노트
title_en: "Notes whose answers are least grounded"
description: >-
  Notes by what the answers that cite them lack: how many are scored, times how far their mean
  correctness is from 1; the largest loss first. Copies, notes with the same text but for case and
  white space, are one row with the sums of their figures: an answer that cites two of them counts
  for each.
columns:
  - [note_id, uuid, null, "The note, of copies the one with the largest loss; null: notes of that title that are not ours or gone."]
  - [title, text, null, "Its title."]
  - [copies, integer, notes, "How many notes the row is of."]
  - [note_ids, text, null, "Ids of all copies, the largest loss first, with spaces between."]
  - [correctness, number, 0..1, "Mean correctness."]
  - [scored, integer, answers, "Answers citing it that the mean is of."]
  - [cited, integer, answers, "Answers citing it, degraded verdicts included."]
  - [ungrounded, integer, answers, "Of the scored with a correctness below 0.5."]
  - [misquoted, integer, answers, "Of the cited with a quotation that does not stand in it."]
*/
SELECT (array_agg(f.note_id ORDER BY f.place))[1] AS note_id,
    (array_agg(f.title ORDER BY f.place))[1] AS title, count(*) AS copies,
    string_agg(f.note_id::text, ' ' ORDER BY f.place) AS note_ids,
    {mean_correctness} AS correctness,
    sum(f.scored)::int8 AS scored, sum(f.cited)::int8 AS cited,
    COALESCE(sum(f.ungrounded), 0)::int8 AS ungrounded,
    COALESCE(sum(f.misquoted), 0)::int8 AS misquoted
FROM (
    SELECT c.*, t.workspace_id, t.text_hash,
        row_number() OVER (ORDER BY c.scored - c.correctness / 1e9 DESC NULLS LAST, c.note_id)
            AS place
    FROM (
        SELECT f.note_id, f.foreign_title, max(f.title) AS title, sum(f.cited) AS cited,
            sum(f.scored) AS scored, sum(f.correctness) AS correctness,
            sum(f.ungrounded) AS ungrounded, sum(f.misquoted) AS misquoted
        FROM {note_citations} f
        GROUP BY f.note_id, f.foreign_title
    ) c
    -- It keeps to the index: a join may hash the texts of all notes.
    LEFT JOIN LATERAL (
        SELECT t.workspace_id, t.text_hash FROM analytics.note_texts t
        WHERE t.note_id = c.note_id
        OFFSET 0
    ) t ON true
) f
GROUP BY f.workspace_id, COALESCE(f.text_hash, f.note_id::text), f.foreign_title
ORDER BY sum(f.scored) - sum(f.correctness) / 1e9 DESC NULLS LAST, correctness, cited DESC,
    title, note_id
