-- Counts the verdicts, and those that match, by what they were made with.
SELECT e.evaluators, count(*) AS answers, count(*) FILTER (WHERE {matches}) AS matching
FROM qa_evaluations e WHERE {current} GROUP BY e.evaluators
