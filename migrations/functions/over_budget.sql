-- Which evaluations of a workspace must wait for money, until when, and why. The lock on the day's
-- row has claims come one after the other, each seeing what those before it hold. What is held is
-- the sum of the rows that are running, so that nothing needs giving back when a worker dies. The
-- first answer of a day is always let through: else one dearer than the budget would wait for ever.
--
-- A row that may fit once others have recorded their real cost is looked at again the later, the
-- longer it has waited, so that a large backlog is not claimed anew every five seconds. One whose
-- judge has no known price waits for a price: what it costs could not be counted. It is looked at
-- again each hour, and when somebody changes the policy.
CREATE OR REPLACE FUNCTION over_budget(workspace uuid, ids uuid[])
RETURNS TABLE (evaluation_id uuid, due_at timestamptz, why text) LANGUAGE plpgsql AS $$
DECLARE
    budget numeric; zone text; today timestamptz; tomorrow timestamptz;
    spent numeric; held numeric; waiting record;
BEGIN
    SELECT p.daily_budget_usd, COALESCE(p.time_zone, 'UTC') INTO budget, zone
    FROM evaluation_policies p WHERE p.workspace_id = workspace;
    IF budget IS NULL THEN
        RETURN;
    END IF;
    today := date_trunc('day', now() AT TIME ZONE zone) AT TIME ZONE zone;
    tomorrow := (date_trunc('day', now() AT TIME ZONE zone) + interval '1 day') AT TIME ZONE zone;

    PERFORM FROM judge_spending s WHERE s.workspace_id = workspace AND s.day_start = today;
    IF NOT FOUND THEN
        INSERT INTO judge_spending (workspace_id, day_start, day_end, cost_usd)
        SELECT workspace, today, tomorrow, LEAST(COALESCE(sum(c.cost_usd), 0), 999999)
        FROM judge_calls c
        WHERE c.workspace_id = workspace AND c.created_at >= today
          AND (c.body IS NOT NULL OR c.content IS NOT NULL)
        ON CONFLICT DO NOTHING;
    END IF;
    SELECT s.cost_usd INTO spent FROM judge_spending s
    WHERE s.workspace_id = workspace AND s.day_start = today FOR UPDATE;
    SELECT COALESCE(sum(e.cost_estimate_usd), 0) INTO held FROM qa_evaluations e
    WHERE e.workspace_id = workspace AND e.status = 'running';

    FOR waiting IN
        SELECT e.id, e.cost_estimate_usd AS cost, now() - e.created_at AS age FROM qa_evaluations e
        WHERE e.id = ANY(ids) ORDER BY e.id
    LOOP
        IF waiting.cost IS NULL THEN
            RETURN QUERY SELECT waiting.id, now() + interval '1 hour', 'budget_unpriced';
        ELSIF spent + held = 0 OR spent + held + waiting.cost <= budget THEN
            held := held + waiting.cost;
        ELSIF spent + waiting.cost <= budget THEN
            RETURN QUERY SELECT waiting.id, now()
                + least(greatest(interval '5 seconds', waiting.age / 10), interval '1 minute'),
                'budget_held';
        ELSE
            RETURN QUERY SELECT waiting.id, tomorrow, 'budget_spent';
        END IF;
    END LOOP;
END $$
