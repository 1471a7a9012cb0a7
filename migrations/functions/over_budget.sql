-- Which evaluations of a workspace must wait for money, until when, and why. What is held is
-- the sum of what is running, so that nothing needs giving back when a worker dies. The first
-- answer of a day is always let through: else one dearer than the budget would wait for ever.
--
-- A row that may fit once others have recorded their real cost is looked at again the later, the
-- longer it has waited, so that a large backlog is not claimed anew every five seconds. One whose
-- judge has no known price waits for a price: what it costs could not be counted. It is looked at
-- again each hour, and when somebody changes the policy.
CREATE OR REPLACE FUNCTION over_budget(workspace uuid, ids uuid[])
RETURNS TABLE (evaluation_id uuid, due_at timestamptz, why text) LANGUAGE plpgsql AS $$
DECLARE
    today record; waiting record;
BEGIN
    SELECT * INTO today FROM budget_of_today(workspace);
    IF today.budget IS NULL THEN
        RETURN;
    END IF;
    FOR waiting IN
        SELECT e.id, e.cost_estimate_usd AS cost, now() - e.created_at AS age FROM qa_evaluations e
        WHERE e.id = ANY(ids) ORDER BY e.id
    LOOP
        IF waiting.cost IS NULL THEN
            RETURN QUERY SELECT waiting.id, now() + interval '1 hour', 'budget_unpriced';
        ELSIF today.spent + today.held = 0
            OR today.spent + today.held + waiting.cost <= today.budget THEN
            today.held := today.held + waiting.cost;
        ELSIF today.spent + waiting.cost <= today.budget THEN
            RETURN QUERY SELECT waiting.id, now()
                + least(greatest(interval '5 seconds', waiting.age / 10), interval '1 minute'),
                'budget_held';
        ELSE
            RETURN QUERY SELECT waiting.id, today.tomorrow, 'budget_spent';
        END IF;
    END LOOP;
END $$
