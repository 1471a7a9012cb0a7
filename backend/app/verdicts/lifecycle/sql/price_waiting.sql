-- Gives an estimate of their cost to the rows that wait because their judge had no known price, and
-- makes them due.
--
-- model, evaluators, prompt: what makes the price. cost_usd, cost_usd_a_byte: what the judging of
-- an answer costs, and of each byte of it and its notes.
UPDATE qa_evaluations e SET
    cost_estimate_usd = round({answer_cost}, 8),
    run_at = now(),
    enqueued_at = NULL
FROM qa_answers a,
    (SELECT %(cost_usd)s AS cost_usd, %(cost_usd_a_byte)s AS cost_usd_a_byte) r
WHERE a.id = e.answer_id AND e.status IN ({waiting}) AND e.reason = 'budget_unpriced'
  AND e.judge_model = %(model)s AND e.evaluators = %(evaluators)s::text[]
  AND e.judge_prompt IS NOT DISTINCT FROM %(prompt)s
