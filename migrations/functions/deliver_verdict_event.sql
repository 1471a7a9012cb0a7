-- Puts the end of a verdict into the outbox of each webhook that wants it, in the transaction of
-- the event. It fires when the statement of the event has ended, so the verdict's row has its new
-- values. A verdict that does not count for its answer is none of: the one that another replaces,
-- and a second one that failed. Webhooks are locked, so one that is being deleted is waited for and
-- gets nothing: its foreign key would fail the verdict.
CREATE OR REPLACE FUNCTION deliver_verdict_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM webhooks w WHERE w.workspace_id = NEW.workspace_id AND w.enabled) THEN
        RETURN NULL;
    END IF;
    INSERT INTO webhook_deliveries (id, workspace_id, webhook_id, event, evaluation_id, data)
    SELECT webhook_delivery_id(), w.workspace_id, w.id, 'verdict.' || NEW.status, e.id,
        jsonb_build_object(
            'evaluation_id', e.id, 'answer_id', e.answer_id, 'status', NEW.status,
            'confidence', e.confidence, 'outcome', e.outcome,
            'decided', e.outcome IS DISTINCT FROM 'undecided',
            -- Of a right refusal there is none to be averaged.
            'correctness', CASE WHEN e.outcome IS DISTINCT FROM 'rightly_refused'
                THEN e.correctness END,
            'utility', CASE WHEN e.outcome IS DISTINCT FROM 'rightly_refused' THEN e.utility END,
            'overall_score', e.overall_score, 'needs_improvement', e.needs_improvement,
            'claims', CASE WHEN e.claims_supported IS NOT NULL THEN jsonb_build_object(
                'supported', e.claims_supported, 'partly', e.claims_partly,
                'unsupported', e.claims_unsupported) END,
            'faults', CASE WHEN e.claims_contradicted IS NOT NULL THEN jsonb_build_object(
                'contradicted', e.claims_contradicted, 'not_in_notes', e.claims_not_in_notes,
                'misattributed', e.claims_misattributed, 'stitched', e.claims_stitched) END,
            'criteria', (SELECT jsonb_object_agg(s.name, jsonb_build_object(
                    'version', s.criterion_version, 'value', s.value, 'label', s.label))
                FROM qa_scores s
                WHERE s.evaluation_id = e.id AND s.criterion_version IS NOT NULL),
            'summary', e.summary, 'degraded', e.degraded, 'error', e.error,
            'judged_by', CASE WHEN e.provider IS NULL THEN NULL WHEN e.provider = 'offline' THEN 'rules'
                WHEN e.provider = 'local' THEN 'local' ELSE 'model' END,
            'judge_model', e.judge_model, 'provider', e.provider, 'model', e.model,
            'prompt_version', e.prompt_version, 'cost_usd', e.cost_usd,
            'feature', a.feature, 'lang', a.lang, 'notebook_id', a.notebook_id,
            'answered_at', a.created_at, 'finished_at', e.finished_at)
    FROM webhooks w
    JOIN qa_evaluations e ON e.id = NEW.evaluation_id AND e.is_current
    JOIN qa_answers a ON a.id = e.answer_id
    WHERE w.workspace_id = NEW.workspace_id AND w.enabled
      AND 'verdict.' || NEW.status = ANY (w.events)
      AND (w.confidences IS NULL OR e.confidence = ANY (w.confidences) OR NEW.status = 'failed')
      AND (w.judges IS NULL OR e.judge_model = ANY (w.judges))
      AND (w.notebook_ids IS NULL OR a.notebook_id = ANY (w.notebook_ids))
      AND (w.features IS NULL OR a.feature = ANY (w.features))
    FOR KEY SHARE OF w;
    RETURN NULL;
END $$
