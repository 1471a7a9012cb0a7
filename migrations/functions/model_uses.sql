-- What of which workspace uses one of these models: policies, cascades, guarantees, and datasets by
-- their runs of the last 90 days. With the rights of whoever calls it.
CREATE OR REPLACE FUNCTION model_uses(models text[])
RETURNS TABLE (workspace_id uuid, model text, kind text, name text) LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT p.workspace_id, m.model, 'policy', 'judge_model'
    FROM evaluation_policies p JOIN unnest(models) m(model) ON m.model = p.judge_model
    UNION ALL
    SELECT p.workspace_id, m.model, 'policy', 'fallback_models'
    FROM evaluation_policies p JOIN unnest(models) m(model) ON m.model = ANY (p.fallback_models)
    UNION ALL
    SELECT p.workspace_id, m.model, 'policy', 'jury'
    FROM evaluation_policies p JOIN unnest(models) m(model) ON m.model = ANY (p.jury)
    UNION ALL
    SELECT p.workspace_id, m.model, 'cascade', array_to_string(p.cascade, ', ')
    FROM evaluation_policies p JOIN unnest(models) m(model) ON m.model = ANY (p.cascade)
    UNION ALL
    SELECT c.workspace_id, m.model, 'guarantee', c.prompt_version
    FROM judge_calibrations c JOIN unnest(models) m(model) ON m.model = c.judge_model
    UNION ALL
    SELECT DISTINCT r.workspace_id, m.model, 'dataset', r.dataset_name
    FROM eval_runs r JOIN unnest(models) m(model) ON m.model IN (r.judge_model, r.answer_model)
    WHERE r.dataset_id IS NOT NULL AND r.created_at > now() - interval '90 days'
$$
