-- The status of a refinement is that of its job: emits an event for each, however the job ends
-- (done, failed, cancelled, or given up after crashes).
CREATE OR REPLACE FUNCTION tell_of_refinement() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO verdict_events (workspace_id, evaluation_id, status, refinement_id)
    SELECT r.workspace_id, r.evaluation_id, NEW.status, r.id
    FROM refinements r JOIN qa_evaluations e ON e.id = r.evaluation_id
    WHERE r.id = NEW.id
    FOR KEY SHARE OF e;  -- waits for a delete under way, and then tells nobody
    PERFORM pg_notify('verdict_events', '');
    RETURN NULL;
END $$
