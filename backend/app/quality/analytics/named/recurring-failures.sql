/*
title_ko: 반복되는 오류
title_en: "Recurring failures"
description: >-
  Groups of doubted answers: the same fault, about the same note, in nearly equal statements. Those
  that people found right do not count. `GET /failures` also lists those without answers in the
  period.
columns:
  - [failure_id, uuid, null, "The group; GET /failures/{id} shows it."]
  - [name, text, null, "Its commonest words."]
  - [fault, text, null, "contradicted, not_in_notes, misattributed or stitched; unsupported or partly of older verdicts; falsely_refused or whole_answer without doubted statements."]
  - [note_title, text, null, "The note that the statements are about."]
  - [answers, integer, answers, "Answers in the group."]
  - [share, number, 0..1, "answers by all answers."]
  - [first_seen_at, timestamp, null, "Its first answer, whatever the period."]
  - [last_seen_at, timestamp, null, "Its last answer in the period."]
  - [releases, text, null, "Releases of these answers."]
  - [state, text, null, "open, mended or ignored."]
  - [owner, text, null, "Who takes care of it."]
  - [mended_in, text, null, "Release that mended it."]
  - [reopened_in, text, null, "Release in which it came back."]
  - [example, text, null, "Question of its last answer."]
*/
SELECT r.failure_id, r.name, r.fault, r.note_title, count(*) AS answers,
    round(count(*)::numeric / (
        SELECT count(*) FROM analytics.verdicts v WHERE v.is_current AND {filters}
    ), 4)::float8 AS share,
    r.first_seen_at, max(v.answered_at) AS last_seen_at,
    string_agg(DISTINCT v.app_version, ', ') AS releases, r.state, r.owner, r.mended_in,
    r.reopened_in,
    (array_agg(v.question ORDER BY v.answered_at DESC, v.evaluation_id))[1] AS example
FROM analytics.recurring_failures r
JOIN analytics.verdicts v ON v.evaluation_id = r.evaluation_id
WHERE v.is_current AND {filters}
GROUP BY r.failure_id, r.name, r.fault, r.note_title, r.first_seen_at, r.state, r.owner,
    r.mended_in, r.reopened_in
ORDER BY answers DESC, r.failure_id
