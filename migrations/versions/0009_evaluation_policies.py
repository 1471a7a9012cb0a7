"""What each workspace has judged, by whom and for how much."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

from migrations.row_security import protect, unprotect

revision: str = "0009"
down_revision: str | None = "0008"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None

TABLES = ("evaluation_policies", "judge_spending")

_CHECKS = {
    "sample_rate": "sample_rate BETWEEN 0 AND 1",
    "min_answer_chars": "min_answer_chars >= 0",
    "answer_chars": "max_answer_chars >= min_answer_chars",
    "judge_fallback": "judge_fallback IN ('failed', 'rules')",
    "daily_budget_usd": "daily_budget_usd > 0",
    # PostgreSQL raises an error for a zone that it does not know.
    "time_zone": "time_zone IS NULL OR timezone(time_zone, to_timestamp(0)) IS NOT NULL",
    "refine_threshold": "refine_threshold BETWEEN 0 AND 1",
    "refine_iterations": "refine_iterations BETWEEN 1 AND 5",
    "keep_answers_days": "keep_answers_days BETWEEN 1 AND 36500",
    "keep_judge_bodies_days": "keep_judge_bodies_days BETWEEN 1 AND 36500",
    "keep_events_days": "keep_events_days BETWEEN 1 AND 36500",
}
_SKIP_REASONS = (
    *("disabled", "sampled_out", "no_context", "not_search_qa", "cancelled"),
    *("filtered_feature", "filtered_language", "filtered_length", "filtered_notebook"),
)

# Which evaluations of a workspace must wait for money, until when, and why. The lock on the day's
# row has claims come one after the other, each seeing what those before it hold. What is held is
# told by the rows that are running, so that nothing needs giving back when a worker dies. The
# first answer of a day is always let through: else one dearer than the budget would wait for ever.
OVER_BUDGET = """
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
        SELECT workspace, today, tomorrow, COALESCE(sum(c.cost_usd), 0)
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
        SELECT e.id, e.cost_estimate_usd AS cost FROM qa_evaluations e
        WHERE e.id = ANY(ids) ORDER BY e.id
    LOOP
        IF spent + held = 0 OR spent + held + waiting.cost <= budget THEN
            held := held + waiting.cost;
        ELSIF spent + waiting.cost <= budget THEN
            RETURN QUERY SELECT waiting.id, now() + interval '5 seconds', 'budget_held';
        ELSE
            RETURN QUERY SELECT waiting.id, tomorrow, 'budget_spent';
        END IF;
    END LOOP;
END $$
"""


def upgrade() -> None:
    _create_policies()
    _create_spending()
    protect(*TABLES)
    _extend_evaluations()
    op.execute(OVER_BUDGET)


def downgrade() -> None:
    op.execute("DROP FUNCTION over_budget")
    op.drop_constraint(op.f("ck_qa_evaluations_skip_reason_known"), "qa_evaluations", type_="check")
    for column in ("fallback_because", "cost_estimate_usd", "policy_version"):
        op.drop_column("qa_evaluations", column)
    unprotect(*TABLES)
    op.drop_table("judge_spending")
    op.drop_table("evaluation_policies")


def _workspace(table: str) -> tuple[sa.Column[object], sa.ForeignKeyConstraint]:
    column = sa.Column("workspace_id", sa.Uuid(), nullable=False)
    return column, sa.ForeignKeyConstraint(
        ["workspace_id"],
        ["workspaces.id"],
        name=op.f(f"fk_{table}_workspace_id_workspaces"),
        ondelete="CASCADE",
    )


def _create_policies() -> None:
    op.create_table(
        "evaluation_policies",
        sa.Column("version", sa.Integer(), server_default=sa.text("1"), nullable=False),
        sa.Column(
            "updated_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column("enabled", sa.Boolean()),
        sa.Column("sample_rate", sa.Float()),
        sa.Column("features", sa.ARRAY(sa.Text())),
        sa.Column("languages", sa.ARRAY(sa.Text())),
        sa.Column("notebook_ids", sa.ARRAY(sa.Uuid())),
        sa.Column("min_answer_chars", sa.Integer()),
        sa.Column("max_answer_chars", sa.Integer()),
        sa.Column("quality_gate", sa.Boolean()),
        sa.Column("quality_gate_features", sa.ARRAY(sa.Text())),
        sa.Column("phases", sa.ARRAY(sa.Text())),
        sa.Column("judge_model", sa.Text()),
        sa.Column("fallback_models", sa.ARRAY(sa.Text())),
        sa.Column("judge_fallback", sa.Text()),
        sa.Column("daily_budget_usd", sa.Numeric(14, 8)),
        sa.Column("time_zone", sa.Text()),
        sa.Column("auto_refine", sa.Boolean()),
        sa.Column("refine_threshold", sa.Float()),
        sa.Column("refine_iterations", sa.Integer()),
        sa.Column("keep_answers_days", sa.Integer()),
        sa.Column("keep_judge_bodies_days", sa.Integer()),
        sa.Column("keep_events_days", sa.Integer()),
        *_workspace("evaluation_policies"),
        sa.PrimaryKeyConstraint("workspace_id", name=op.f("pk_evaluation_policies")),
        *(
            sa.CheckConstraint(check, name=op.f(f"ck_evaluation_policies_{name}"))
            for name, check in _CHECKS.items()
        ),
    )


def _create_spending() -> None:
    op.create_table(
        "judge_spending",
        sa.Column("day_start", sa.DateTime(timezone=True), nullable=False),
        sa.Column("day_end", sa.DateTime(timezone=True), nullable=False),
        sa.Column("cost_usd", sa.Numeric(14, 8), nullable=False),
        *_workspace("judge_spending"),
        sa.PrimaryKeyConstraint("workspace_id", "day_start", name=op.f("pk_judge_spending")),
    )


def _extend_evaluations() -> None:
    op.add_column(
        "qa_evaluations",
        sa.Column("policy_version", sa.Integer(), server_default=sa.text("0"), nullable=False),
    )
    op.add_column("qa_evaluations", sa.Column("cost_estimate_usd", sa.Numeric(14, 8)))
    op.add_column("qa_evaluations", sa.Column("fallback_because", sa.Text()))
    reasons = ", ".join(f"'{reason}'" for reason in _SKIP_REASONS)
    op.create_check_constraint(
        op.f("ck_qa_evaluations_skip_reason_known"),
        "qa_evaluations",
        f"status <> 'skipped' OR reason IN ({reasons})",
    )
