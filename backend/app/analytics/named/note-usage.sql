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
SELECT g.note_id, max(g.title) AS title, count(*) AS given,
    count(*) FILTER (WHERE g.note_index = ANY (v.cited_notes)) AS cited,
    count(*) FILTER (WHERE g.note_index <> ALL (v.cited_notes)) AS ignored,
    count(*) FILTER (WHERE g.note_index = ANY (v.misquoted_notes)) AS misquoted,
    round(count(*) FILTER (WHERE g.note_index = ANY (v.cited_notes))::numeric / count(*), 4)::float8
        AS cited_share
FROM analytics.verdicts v
JOIN analytics.given_notes g ON g.answer_id = v.answer_id
WHERE v.is_current AND v.cited_notes IS NOT NULL
    AND {filters}
GROUP BY g.note_id, CASE WHEN g.note_id IS NULL THEN g.title END
ORDER BY given DESC, title
