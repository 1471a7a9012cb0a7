-- Some of the verdicts that match and that the judge has not judged, chosen by their ids: how many
-- of each language, and the mean lengths of their texts in bytes, which unlike those in characters
-- are known without reading them.
--
-- keys: JSON, the judge's key for each list of evaluators. share, of 65,536: chosen to give about
-- `sample` of them; the limit only helps the planner.
WITH sample AS MATERIALIZED (
    SELECT e.answer_id, e.workspace_id, e.evaluators FROM qa_evaluations e
    WHERE {current} AND (uuid_hash(e.id) & 65535) < :share AND {matches}
    LIMIT 2 * :sample
)
SELECT m.evaluators, a.lang, count(*) AS answers,
    avg(octet_length(a.question) + COALESCE(octet_length(a.history::text), 0))::float8 AS question,
    avg(octet_length(a.answer))::float8 AS answer, COALESCE(avg(notes.bytes), 0)::float8 AS notes
FROM sample m
JOIN jsonb_to_recordset(CAST(:keys AS jsonb)) AS w(evaluators text[], judge_key text)
    ON w.evaluators = m.evaluators
JOIN qa_answers a ON a.id = m.answer_id
LEFT JOIN LATERAL (
    SELECT sum(octet_length(s.content)) AS bytes FROM qa_answer_sources s
    WHERE s.answer_id = m.answer_id
) notes ON true
WHERE NOT EXISTS (
    SELECT FROM qa_evaluations k
    WHERE k.answer_id = m.answer_id AND k.workspace_id = m.workspace_id
      AND k.judge_key = w.judge_key AND k.status NOT IN ({unjudged}))
GROUP BY m.evaluators, a.lang
