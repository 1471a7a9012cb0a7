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
    round((avg(correctness) FILTER (WHERE cited AND NOT degraded))::numeric, 4)::float8
        AS correctness,
    count(correctness) FILTER (WHERE cited AND NOT degraded) AS scored,
    count(*) FILTER (WHERE cited) AS cited,
    count(*) FILTER (WHERE cited AND correctness < 0.5 AND NOT degraded) AS ungrounded,
    count(*) FILTER (WHERE cited AND misquoted) AS misquoted
FROM (
    -- Not joined where cited: PostgreSQL takes that for a few rows, and sorts them all.
    SELECT g.note_id, g.title, v.correctness, v.degraded,
        g.note_index = ANY (v.cited_notes) AS cited,
        g.note_index = ANY (v.misquoted_notes) AS misquoted
    FROM analytics.verdicts v
    JOIN analytics.given_notes g ON g.answer_id = v.answer_id
    WHERE v.is_current AND v.cited_notes IS NOT NULL
    AND {filters}
) given
GROUP BY note_id, CASE WHEN note_id IS NULL THEN title END
HAVING bool_or(cited)
ORDER BY correctness NULLS LAST, cited DESC, title
