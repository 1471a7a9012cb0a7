-- Continues the statement that records outcomes (verdicts/lifecycle/sql/record.sql): enqueues the
-- improvement of the poor answers among `recorded`, so that neither comes without the other.
--
-- refine_threshold, refine_iterations: the server's, where a workspace has none of its own.
, improving AS (
    {insert_jobs}
    SELECT refine_job, workspace_id, '{refine_job}', jsonb_build_object('evaluation_id', id),
           id::text
    FROM recorded WHERE refine_job IS NOT NULL
    {unless_unfinished}
), refinements AS (
    INSERT INTO refinements
        (id, workspace_id, evaluation_id, threshold, max_iterations, automatic)
    SELECT i.id, i.workspace_id, i.dedupe_key::uuid,
           COALESCE(p.refine_threshold, %(refine_threshold)s),
           COALESCE(p.refine_iterations, %(refine_iterations)s), true
    FROM improving i LEFT JOIN evaluation_policies p ON p.workspace_id = i.workspace_id
)
