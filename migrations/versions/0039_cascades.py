"""Cascades of judges: which of them are asked in turn, from which score each is sure, and what each
said.

Verdicts until now have no cascade, and neither have guarantees.
"""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

from migrations.row_security import protect, unprotect

revision: str = "0039"
down_revision: str | None = "0037"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None

_STEPS = "qa_cascade_steps"
_WAITS = "status IN ('queued', 'retrying')"

# A verdict of rules in a judge's place, and one that never came, are no last word.
_VIEW = """
CREATE VIEW analytics.cascade AS
WITH steps AS (
    SELECT s.*, (e.answered_at AT TIME ZONE 'UTC')::date AS day,
        e.cascade[cardinality(e.cascade)] AS last_judge,
        CASE WHEN e.status = 'succeeded' AND NOT e.degraded AND NOT s.decided
                  AND s.error IS NULL
             THEN (s.confidence = 'high') <> (e.confidence = 'high') END AS disagrees
    FROM qa_cascade_steps s JOIN qa_evaluations e ON e.id = s.evaluation_id
)
SELECT workspace_id, day, judge_model, last_judge,
    count(*) AS asked,
    count(*) FILTER (WHERE error IS NOT NULL) AS failed,
    count(*) FILTER (WHERE sure) AS sure,
    count(*) FILTER (WHERE decided) AS decided,
    count(*) FILTER (WHERE checked AND disagrees IS NOT NULL) AS checked,
    count(*) FILTER (WHERE checked AND disagrees) AS checked_disagreeing,
    count(*) FILTER (WHERE NOT sure AND disagrees IS NOT NULL) AS doubtful,
    count(*) FILTER (WHERE NOT sure AND disagrees) AS doubtful_disagreeing,
    round(sum(cost_usd), 8)::float8 AS cost_usd
FROM steps
GROUP BY 1, 2, 3, 4
"""
_COMMENTS = {
    "workspace_id": "Workspace.",
    "day": "Day of the answers in UTC.",
    "judge_model": "Judge of the step.",
    "last_judge": "The last judge of its cascade, who was asked for.",
    "asked": "Answers that the judge was asked about.",
    "failed": "Of asked, those that it had no verdict on, so that the next one was asked.",
    "sure": "Of asked, those whose score was beyond its thresholds.",
    "decided": "Of asked, those whose verdict is its own.",
    "checked": "Of sure, those that were drawn for the last judge all the same, and judged by it.",
    "checked_disagreeing": "Of checked, those that one of the two calls high and the other does"
    " not.",
    "doubtful": "Answers of which it was not sure, and another judge has judged since.",
    "doubtful_disagreeing": "Of doubtful, those that one of the two calls high and the other does"
    " not.",
    "cost_usd": "Cost of its calls; NULL where none has a known price.",
}


def upgrade() -> None:
    _create_steps()
    op.add_column("qa_evaluations", sa.Column("cascade", postgresql.ARRAY(sa.Text())))
    op.add_column("qa_evaluations", sa.Column("cascade_costs", postgresql.ARRAY(sa.Numeric(14, 8))))
    op.create_index(
        "ix_qa_evaluations_cascade",
        "qa_evaluations",
        ["judge_model"],
        postgresql_where=sa.text(f"{_WAITS} AND cascade IS NOT NULL"),
    )
    policy = "evaluation_policies"
    op.add_column(policy, sa.Column("cascade", postgresql.ARRAY(sa.Text())))
    op.add_column(policy, sa.Column("cascade_check", sa.Float()))
    op.add_column(policy, sa.Column("cascade_calibration", postgresql.JSONB()))
    op.create_check_constraint("cascade_check", policy, "cascade_check BETWEEN 0 AND 1")
    op.add_column("judge_calibrations", sa.Column("cascade", postgresql.ARRAY(sa.Text())))
    op.add_column("judge_bench_results", sa.Column("confidence", sa.String(8)))
    _create_view()


def downgrade() -> None:
    op.execute("DROP VIEW analytics.cascade")
    op.drop_column("judge_bench_results", "confidence")
    op.drop_column("judge_calibrations", "cascade")
    op.drop_constraint(op.f("ck_evaluation_policies_cascade_check"), "evaluation_policies")
    for column in ("cascade_calibration", "cascade_check", "cascade"):
        op.drop_column("evaluation_policies", column)
    op.drop_index("ix_qa_evaluations_cascade", "qa_evaluations")
    op.drop_column("qa_evaluations", "cascade_costs")
    op.drop_column("qa_evaluations", "cascade")
    op.execute(f"DROP POLICY analytics ON {_STEPS}")
    op.execute(f"REVOKE ALL ON {_STEPS} FROM searchqa_views")
    unprotect(_STEPS)
    op.drop_table(_STEPS)


def _create_steps() -> None:
    op.create_table(
        _STEPS,
        sa.Column("evaluation_id", sa.Uuid(), nullable=False),
        sa.Column("position", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("judge_model", sa.Text(), nullable=False),
        sa.Column("prompt_version", sa.Text()),
        sa.Column("correctness", sa.Float()),
        sa.Column("utility", sa.Float()),
        sa.Column("confidence", sa.String(8)),
        sa.Column("sure", sa.Boolean()),
        sa.Column("checked", sa.Boolean(), nullable=False),
        sa.Column("decided", sa.Boolean(), nullable=False),
        sa.Column("prompt_tokens", sa.Integer()),
        sa.Column("completion_tokens", sa.Integer()),
        sa.Column("cost_usd", sa.Numeric(12, 8)),
        sa.Column("judge_ms", sa.Float()),
        sa.Column("error", sa.Text()),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        sa.CheckConstraint(
            "correctness BETWEEN 0 AND 1",
            name=op.f("ck_qa_cascade_steps_correctness_unit_interval"),
        ),
        sa.CheckConstraint(
            "utility BETWEEN 0 AND 1", name=op.f("ck_qa_cascade_steps_utility_unit_interval")
        ),
        sa.CheckConstraint(
            "(correctness IS NULL) = (error IS NOT NULL)",
            name=op.f("ck_qa_cascade_steps_score_or_error"),
        ),
        sa.ForeignKeyConstraint(
            ["evaluation_id"],
            ["qa_evaluations.id"],
            name=op.f("fk_qa_cascade_steps_evaluation_id_qa_evaluations"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("evaluation_id", "position", name=op.f("pk_qa_cascade_steps")),
    )
    op.create_index(
        op.f("ix_qa_cascade_steps_workspace_id_created_at"), _STEPS, ["workspace_id", "created_at"]
    )
    protect(_STEPS)


def _create_view() -> None:
    op.execute(f"GRANT SELECT ON {_STEPS} TO searchqa_views")
    op.execute(
        f"CREATE POLICY analytics ON {_STEPS} FOR SELECT TO searchqa_views"
        " USING (workspace_id = ANY (ARRAY(SELECT analytics.visible_workspaces())))"
    )
    op.execute(_VIEW)
    op.execute(
        "COMMENT ON VIEW analytics.cascade IS"
        " 'Version 1. What each judge of a cascade decided and cost, and how often the last judge"
        " disagreed, by day. Of the sure, only the checked say how often.'"
    )
    for name, meaning in _COMMENTS.items():
        op.execute(f"COMMENT ON COLUMN analytics.cascade.{name} IS '{meaning}'")
    op.execute("GRANT SELECT ON analytics.cascade TO searchqa_analyst, searchqa_app")
    # Giving it away takes the right to make one there, as in migration 0012.
    op.execute("GRANT CREATE ON SCHEMA analytics TO searchqa_views")
    op.execute("ALTER VIEW analytics.cascade OWNER TO searchqa_views")
    op.execute("REVOKE CREATE ON SCHEMA analytics FROM searchqa_views")
