-- Puts an alarm into the outbox of each webhook of its workspace that wants it, in the transaction
-- that stores it. Webhooks are locked, so one that is being deleted gets nothing.
CREATE OR REPLACE FUNCTION deliver_quality_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO webhook_deliveries (id, workspace_id, webhook_id, event, data)
    SELECT webhook_delivery_id(), w.workspace_id, w.id, 'quality.changed',
        jsonb_build_object('alarm_id', NEW.id, 'judge_model', NEW.judge_model, 'series', NEW.series,
            'compared_from', NEW.compared_from, 'began_on', NEW.began_on,
            'noticed_on', NEW.noticed_on, 'before', NEW.before, 'after', NEW.after,
            'answers_before', NEW.answers_before, 'answers_after', NEW.answers_after,
            'causes', NEW.causes)
    FROM webhooks w
    WHERE w.workspace_id = NEW.workspace_id AND w.enabled AND 'quality.changed' = ANY (w.events)
      AND (w.judges IS NULL OR NEW.judge_model = ANY (w.judges))
    FOR KEY SHARE OF w;
    RETURN NULL;
END $$
