-- A condition on the row `e`: it may go to its judge, or to the rules.
(
    e.reason IN ('probe', 'rules_fallback')
    OR NOT EXISTS (SELECT 1 FROM judge_pauses p WHERE p.judge_model = e.judge_model))
