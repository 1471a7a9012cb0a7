-- Gives an estimate of their cost to the rows that wait because their judge had no known price, and
-- makes them due.
--
-- model, evaluators, prompt: what makes the price. cost_usd, cost_usd_a_byte: what the judging of
-- an answer costs, and of each byte of it and its notes.
UPDATE qa_evaluations e SET
    cost_estimate_usd = round(%(cost_usd)s + %(cost_usd_a_byte)s * (
        octet_length(a.question) + octet_length(a.answer)
        + (SELECT COALESCE(sum(octet_length(s.content)), 0) FROM qa_answer_sources s
           WHERE s.answer_id = a.id)), 8),
    run_at = now(),
    enqueued_at = NULL
FROM qa_answers a
WHERE a.id = e.answer_id AND e.status IN ({waiting}) AND e.reason = 'budget_unpriced'
  AND e.judge_model = %(model)s AND e.evaluators = %(evaluators)s::text[]
  AND e.judge_prompt IS NOT DISTINCT FROM %(prompt)s
