"""Runs by name, judge, models, prompt and search of choice; their cases take from the daily budget.

Chunks of the ground truth that no longer exist count as missed, in earlier runs as well.
"""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

from migrations.functions import create_function
from migrations.row_security import protect, unprotect

revision: str = "0026"
down_revision: str | None = "0025"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None

_BEFORE = "'text', 'hybrid', 'evidence'"
_AFTER = "'text', 'vector', 'hybrid', 'evidence'"

# All relevance is binary. A case none of whose chunks existed had no figures.
_COUNT_AS_MISSED = """
WITH counted AS (
    SELECT e.run_id, e.position, r.k, count(DISTINCT relevant)::int AS wanted,
        count(DISTINCT relevant)::int - cardinality(e.missing_chunk_ids) AS there
    FROM eval_results e JOIN eval_runs r ON r.id = e.run_id,
        unnest(e.ground_truth_chunk_ids) AS relevant
    WHERE e.missing_chunk_ids <> '{}'
    GROUP BY e.run_id, e.position, r.k
), ideal AS (
    SELECT c.*,
        (SELECT sum(ln(2) / ln(rank + 1)) FROM generate_series(1, least(c.there, c.k)) rank)
            AS dcg_there,
        (SELECT sum(ln(2) / ln(rank + 1)) FROM generate_series(1, least(c.wanted, c.k)) rank)
            AS dcg
    FROM counted c
)
UPDATE eval_results e SET
    precision = COALESCE(precision, 0),
    hit = COALESCE(hit, false),
    reciprocal_rank = COALESCE(reciprocal_rank, 0),
    recall = COALESCE(recall, 0) * i.there / i.wanted,
    average_precision = COALESCE(average_precision, 0) * i.there / i.wanted,
    ndcg = COALESCE(ndcg * i.dcg_there / i.dcg, 0)
FROM ideal i WHERE i.run_id = e.run_id AND i.position = e.position
"""
# Without intervals, which only a run itself computes.
_MEANS_AGAIN = """
UPDATE eval_runs r SET summary = jsonb_set(r.summary, '{metrics}', (
    SELECT jsonb_build_object(
        'precision_at_k', avg(e.precision), 'recall_at_k', avg(e.recall),
        'hit_rate_at_k', avg(e.hit::int)::float8, 'mrr', avg(e.reciprocal_rank),
        'map', avg(e.average_precision), 'ndcg_at_k', avg(e.ndcg), 'k', r.k,
        'cases', count(e.precision), 'missing_chunks', sum(cardinality(e.missing_chunk_ids)),
        'intervals', '{"precision_at_k": null, "recall_at_k": null, "hit_rate_at_k": null,
            "mrr": null, "map": null, "ndcg_at_k": null}'::jsonb)
    FROM eval_results e WHERE e.run_id = r.id AND e.precision IS NOT NULL))
WHERE r.summary IS NOT NULL
  AND EXISTS (SELECT FROM eval_results e WHERE e.run_id = r.id AND e.missing_chunk_ids <> '{}')
"""
# What this revision replaces.
_OVER_BUDGET = """
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
"""


def upgrade() -> None:
    op.add_column("eval_runs", sa.Column("name", sa.Text()))
    op.execute("UPDATE eval_runs SET name = dataset_name || ' v' || dataset_version")
    op.alter_column("eval_runs", "name", nullable=False)
    op.add_column("eval_runs", sa.Column("prompt_version", sa.Text()))
    # The only prompts there were; which rules judged was not stored.
    op.execute(
        "UPDATE eval_runs SET prompt_version = 'faithfulness-1+answer-relevancy-1'"
        " WHERE judge_model NOT LIKE 'offline:%'"
    )
    _know_retrievals(_AFTER)
    op.create_table(
        "budget_holds",
        sa.Column("work_id", sa.Uuid(), nullable=False),
        sa.Column("piece_no", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("cost_usd", sa.Numeric(14, 8), nullable=False),
        sa.Column("held_until", sa.DateTime(timezone=True), nullable=False),
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspaces.id"],
            name=op.f("fk_budget_holds_workspace_id_workspaces"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("work_id", "piece_no", name=op.f("pk_budget_holds")),
    )
    op.create_index(op.f("ix_budget_holds_workspace_id"), "budget_holds", ["workspace_id"])
    protect("budget_holds")
    for function in ("budget_of_today", "over_budget", "hold_budget"):
        op.execute(create_function(function))
    op.execute(_COUNT_AS_MISSED)
    op.execute(_MEANS_AGAIN)


def downgrade() -> None:
    """Figures of runs stay as they are."""
    op.execute("DROP FUNCTION hold_budget")
    op.execute(_OVER_BUDGET)
    op.execute("DROP FUNCTION budget_of_today")
    unprotect("budget_holds")
    op.drop_table("budget_holds")
    op.execute("DELETE FROM eval_runs WHERE retrieval = 'vector'")
    _know_retrievals(_BEFORE)
    op.drop_column("eval_runs", "prompt_version")
    op.drop_column("eval_runs", "name")


def _know_retrievals(names: str) -> None:
    name = op.f("ck_eval_runs_retrieval_known")
    op.drop_constraint(name, "eval_runs", type_="check")
    op.create_check_constraint(name, "eval_runs", f"retrieval IN ({names})")
