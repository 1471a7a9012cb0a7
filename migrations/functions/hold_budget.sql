-- Holds `cost` of a workspace's daily budget for one piece of work, at most for `seconds`, by the
-- rules of over_budget. wait_seconds, why: NULL where it is held, or where there is no budget; else
-- how long the work must wait for money, and for what.
--
-- A hold that is there already, or was not settled in time, is of a worker that died at its work and
-- may have paid: its cost counts as spent.
CREATE OR REPLACE FUNCTION hold_budget(workspace uuid, work uuid, piece integer, cost numeric,
    seconds double precision, OUT wait_seconds double precision, OUT why text)
LANGUAGE plpgsql AS $$
DECLARE
    today record; lost numeric;
BEGIN
    WITH unsettled AS (
        DELETE FROM budget_holds h
        WHERE h.work_id = work AND h.piece_no = piece
           OR h.workspace_id = workspace AND h.held_until <= now()
        RETURNING h.cost_usd
    )
    SELECT COALESCE(sum(cost_usd), 0) INTO lost FROM unsettled;
    UPDATE judge_spending s SET cost_usd = LEAST(s.cost_usd + lost, 999999)
    WHERE lost > 0 AND s.workspace_id = workspace AND s.day_start <= now() AND now() < s.day_end;
    SELECT * INTO today FROM budget_of_today(workspace);
    IF today.budget IS NULL THEN
        RETURN;
    END IF;
    IF cost IS NULL THEN
        SELECT 3600, 'budget_unpriced' INTO wait_seconds, why;
    ELSIF today.spent + today.held = 0 OR today.spent + today.held + cost <= today.budget THEN
        INSERT INTO budget_holds (work_id, piece_no, workspace_id, cost_usd, held_until)
        VALUES (work, piece, workspace, cost, now() + make_interval(secs => seconds));
    ELSIF today.spent + cost <= today.budget THEN
        SELECT 10, 'budget_held' INTO wait_seconds, why;
    ELSE
        SELECT extract(epoch FROM today.tomorrow - now()), 'budget_spent' INTO wait_seconds, why;
    END IF;
END $$
