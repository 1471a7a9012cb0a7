-- Counts the verdicts that match and that the judge has judged or is at already.
--
-- keys: JSON, the judge's key for each list of evaluators; judge_keys: those keys.
SELECT e.evaluators, count(*) AS answers
FROM jsonb_to_recordset(CAST(:keys AS jsonb)) AS w(evaluators text[], judge_key text)
JOIN qa_evaluations k ON k.judge_key = w.judge_key AND k.workspace_id = :workspace_id
    AND k.judge_key = ANY(:judge_keys) AND k.status NOT IN ({unjudged})
JOIN qa_evaluations e ON e.answer_id = k.answer_id AND e.evaluators = w.evaluators
WHERE {current} AND {matches}
GROUP BY e.evaluators
