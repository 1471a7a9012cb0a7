/*
title_ko: 노트 활용
title_en: "How notes are used"
description: >-
  How often each note was given to an answer, cited, ignored and misquoted.
columns:
  - [note_id, uuid, null, "The note; null: notes of that title that are not ours or gone."]
  - [title, text, null, "Its title."]
  - [given, integer, answers, "Judged answers that were given the note."]
  - [cited, integer, answers, "Of them used it."]
  - [ignored, integer, answers, "Of them did not."]
  - [misquoted, integer, answers, "Of them with a quotation that does not stand in it."]
  - [cited_share, number, 0..1, "cited by given."]
*/
SELECT f.note_id, max(f.title) AS title, sum(f.given) AS given, sum(f.cited) AS cited,
    sum(f.ignored) AS ignored, sum(f.misquoted) AS misquoted,
    round(sum(f.cited)::numeric / sum(f.given), 4)::float8 AS cited_share
FROM {note_uses} f
GROUP BY f.note_id, f.foreign_title
ORDER BY given DESC, title, f.note_id
