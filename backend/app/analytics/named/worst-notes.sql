/*
title_ko: 근거가 약한 답변을 낳는 노트
title_en: "Notes whose answers are least grounded"
description: >-
  Notes by the mean correctness of the answers that cite them, the worst first.
columns:
  - [note_id, uuid, null, "The note; null: notes of that title that are not ours or gone."]
  - [title, text, null, "Its title."]
  - [correctness, number, 0..1, "Mean correctness."]
  - [scored, integer, answers, "Answers citing it that the mean is of."]
  - [cited, integer, answers, "Answers citing it, degraded verdicts included."]
  - [ungrounded, integer, answers, "Of the scored with a correctness below 0.5."]
  - [misquoted, integer, answers, "Of the cited with a quotation that does not stand in it."]
*/
SELECT note_id, max(title) AS title,
    round((avg(correctness) FILTER (WHERE NOT degraded))::numeric, 4)::float8 AS correctness,
    count(correctness) FILTER (WHERE NOT degraded) AS scored,
    count(*) AS cited,
    count(*) FILTER (WHERE correctness < 0.5 AND NOT degraded) AS ungrounded,
    count(*) FILTER (WHERE misquoted) AS misquoted
FROM (
    -- An answer may be given several parts of a note. Not joined where cited: PostgreSQL takes that
    -- for a few rows, and sorts them all.
    SELECT v.evaluation_id, g.note_id, max(g.title) AS title, v.correctness, v.degraded,
        bool_or(g.note_index = ANY (v.misquoted_notes)) AS misquoted
    FROM analytics.verdicts v
    JOIN analytics.given_notes g ON g.answer_id = v.answer_id
    WHERE v.is_current AND v.cited_notes IS NOT NULL
    AND {filters}
    GROUP BY v.evaluation_id, v.correctness, v.degraded, g.note_id,
        CASE WHEN g.note_id IS NULL THEN g.title END
    HAVING bool_or(g.note_index = ANY (v.cited_notes))
) given
GROUP BY note_id, CASE WHEN note_id IS NULL THEN title END
ORDER BY correctness NULLS LAST, cited DESC, title
