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
SELECT g.note_id, max(g.title) AS title,
    round((avg(v.correctness) FILTER (WHERE NOT v.degraded))::numeric, 4)::float8 AS correctness,
    count(v.correctness) FILTER (WHERE NOT v.degraded) AS scored,
    count(*) AS cited,
    count(*) FILTER (WHERE v.correctness < 0.5 AND NOT v.degraded) AS ungrounded,
    count(*) FILTER (WHERE g.note_index = ANY (v.misquoted_notes)) AS misquoted
FROM analytics.verdicts v
JOIN analytics.given_notes g ON g.answer_id = v.answer_id
    AND g.note_index = ANY (v.cited_notes)
WHERE v.is_current
    AND {filters}
GROUP BY g.note_id, CASE WHEN g.note_id IS NULL THEN g.title END
ORDER BY correctness NULLS LAST, cited DESC, title
