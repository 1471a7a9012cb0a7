-- How a workspace's daily budget stands, all NULL without one: `spent` by judges and runs since
-- midnight, `held` for what they may cost that are at work. The lock on the day's row has callers
-- come one after the other, each seeing what those before it hold.
CREATE OR REPLACE FUNCTION budget_of_today(workspace uuid,
    OUT budget numeric, OUT spent numeric, OUT held numeric, OUT tomorrow timestamptz)
LANGUAGE plpgsql AS $$
DECLARE
    zone text; today timestamptz;
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
        SELECT workspace, today, tomorrow, LEAST(COALESCE(sum(c.cost_usd), 0), 999999) FROM (
            SELECT cost_usd FROM judge_calls
            WHERE workspace_id = workspace AND created_at >= today
              AND (body IS NOT NULL OR content IS NOT NULL)
            UNION ALL
            SELECT cost_usd FROM eval_results
            WHERE workspace_id = workspace AND created_at >= today
        ) c
        ON CONFLICT DO NOTHING;
    END IF;
    SELECT s.cost_usd INTO spent FROM judge_spending s
    WHERE s.workspace_id = workspace AND s.day_start = today FOR UPDATE;
    SELECT
        COALESCE((SELECT sum(e.cost_estimate_usd) FROM qa_evaluations e
                  WHERE e.workspace_id = workspace AND e.status = 'running'), 0)
        + COALESCE((SELECT sum(h.cost_usd) FROM budget_holds h
                    WHERE h.workspace_id = workspace AND h.held_until > now()), 0)
    INTO held;
END $$
