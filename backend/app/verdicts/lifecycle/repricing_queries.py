"""The SQL that gives waiting answers an estimate of their cost."""

UNPRICED = """
SELECT DISTINCT judge_model, evaluators, judge_prompt FROM qa_evaluations
WHERE status IN ('queued', 'retrying') AND reason = 'budget_unpriced'
"""

PRICE = """
UPDATE qa_evaluations e SET
    cost_estimate_usd = round(%(cost_usd)s + %(cost_usd_a_byte)s * (
        octet_length(a.question) + octet_length(a.answer)
        + (SELECT COALESCE(sum(octet_length(s.content)), 0) FROM qa_answer_sources s
           WHERE s.answer_id = a.id)), 8),
    run_at = now(),
    enqueued_at = NULL
FROM qa_answers a
WHERE a.id = e.answer_id AND e.status IN ('queued', 'retrying') AND e.reason = 'budget_unpriced'
  AND e.judge_model = %(model)s AND e.evaluators = %(evaluators)s::text[]
  AND e.judge_prompt IS NOT DISTINCT FROM %(prompt)s
"""
