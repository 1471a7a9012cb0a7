/*
title_ko: 근거 없는 주장
title_en: "Claims without support"
description: >-
  Statements of answers that the notes do not bear out, the newest first.
listing: true
columns:
  - [evaluation_id, uuid, null, "The verdict; GET /qa-evaluations/{id} shows it."]
  - [answered_at, timestamp, null, "When the answer was finished."]
  - [claim, text, null, "The statement."]
  - [fault, text, null, "contradicted, not_in_notes, misattributed or stitched; null where unknown."]
  - [reasoning, text, null, "Why."]
  - [source, text, null, "judge or rules."]
  - [question, text, null, "What was asked."]
  - [correctness, number, 0..1, "Correctness of the answer."]
*/
SELECT v.evaluation_id, v.answered_at, c.claim, c.fault, c.reasoning, c.source, v.question,
    v.correctness
FROM analytics.verdicts v
JOIN analytics.claims c ON c.evaluation_id = v.evaluation_id AND c.verdict = 'unsupported'
WHERE v.is_current
    AND {filters}
ORDER BY v.answered_at DESC, v.evaluation_id, c.position
