-- Puts the pause of a judge and its end into the outbox of each webhook that wants it. Judges serve
-- all workspaces, and whoever pauses or resumes one sees the webhooks of none or one: this runs as
-- the tables' owner. Webhooks are locked, so one that is being deleted gets nothing.
CREATE OR REPLACE FUNCTION deliver_judge_event() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    event text := CASE TG_OP WHEN 'INSERT' THEN 'judge.paused' ELSE 'judge.resumed' END;
    pause judge_pauses := CASE TG_OP WHEN 'INSERT' THEN NEW ELSE OLD END;
BEGIN
    INSERT INTO webhook_deliveries (id, workspace_id, webhook_id, event, data)
    SELECT webhook_delivery_id(), w.workspace_id, w.id, event,
        jsonb_build_object('judge_model', pause.judge_model, 'kind', pause.kind,
            'code', pause.reason, 'paused_at', pause.paused_at)
    FROM webhooks w
    WHERE w.enabled AND event = ANY (w.events)
      AND (w.judges IS NULL OR pause.judge_model = ANY (w.judges))
    FOR KEY SHARE OF w;
    RETURN NULL;
END $$
