-- What a worker asks before it claims rows that there may be no room for: those of `ids` that wait
-- to be judged. Claims nothing.
--
-- limited: judges whose calls are limited; of rows that they are to judge the lengths are returned
-- as well, in bytes of UTF-8, and the number of parts; NULL for others, and for those that rules
-- judge because the judge is failing.
SELECT e.id, e.judge_model, e.workspace_id, e.queue, e.evaluators, e.judge_prompt, texts.*
FROM qa_evaluations e
LEFT JOIN LATERAL (
    SELECT a.lang, octet_length(a.question) + COALESCE(octet_length(a.history::text), 0),
        octet_length(a.answer),
        (SELECT COALESCE(sum(octet_length(s.content)), 0)::int FROM qa_answer_sources s
         WHERE s.answer_id = a.id),
        greatest(1, least({max_parts}, ceil(char_length(a.answer) / {part_chars}.0)))::int
    FROM qa_answers a WHERE a.id = e.answer_id
    -- Else a plan made while there are no answers reads all of them for each row.
    LIMIT 1
) AS texts (lang, question_bytes, answer_bytes, notes_bytes, parts)
ON e.judge_model = ANY(%(limited)s) AND e.reason IS DISTINCT FROM 'rules_fallback'
WHERE e.id = ANY(%(ids)s) AND e.status IN ({waiting})
