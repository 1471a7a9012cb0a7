/*
title_ko: 근거가 약한 답변을 낳는 노트
title_en: "Notes whose answers are least grounded"
description: >-
  Notes by what the answers that cite them lack: how many are scored, times how far their mean
  correctness is from 1; the largest loss first.
columns:
  - [note_id, uuid, null, "The note; null: notes of that title that are not ours or gone."]
  - [title, text, null, "Its title."]
  - [correctness, number, 0..1, "Mean correctness."]
  - [scored, integer, answers, "Answers citing it that the mean is of."]
  - [cited, integer, answers, "Answers citing it, degraded verdicts included."]
  - [ungrounded, integer, answers, "Of the scored with a correctness below 0.5."]
  - [misquoted, integer, answers, "Of the cited with a quotation that does not stand in it."]
*/
SELECT f.note_id, max(f.title) AS title, {mean_correctness} AS correctness,
    sum(f.scored) AS scored, sum(f.cited) AS cited,
    COALESCE(sum(f.ungrounded), 0) AS ungrounded, COALESCE(sum(f.misquoted), 0) AS misquoted
FROM {note_citations} f
GROUP BY f.note_id, f.foreign_title
ORDER BY sum(f.scored) - sum(f.correctness) / 1e9 DESC NULLS LAST, correctness, cited DESC,
    title, f.note_id
