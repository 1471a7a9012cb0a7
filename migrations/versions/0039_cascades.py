"""Cascades of judges: which of them are asked in turn, from which score each is sure, and what each
said.

Verdicts until now have no cascade, and neither have guarantees.
"""

from collections.abc import Mapping, Sequence

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

from migrations.row_security import protect, unprotect

revision: str = "0039"
down_revision: str | None = "0038"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None

_STEPS = "qa_cascade_steps"
_WAITS = "status IN ('queued', 'retrying')"

# A verdict of rules in a judge's place, and one that never came, are no last word.
_STEPS_VIEW = """
CREATE VIEW analytics.cascade_steps AS
SELECT s.workspace_id, s.evaluation_id, e.answered_at, s.position, s.judge_model,
    s.prompt_version, e.cascade[cardinality(e.cascade)] AS last_judge, s.correctness, s.utility,
    s.confidence, s.sure, s.checked, s.decided,
    CASE WHEN e.status = 'succeeded' AND NOT e.degraded AND NOT s.decided AND s.error IS NULL
         THEN (s.confidence = 'high') <> (e.confidence = 'high') END AS disagrees,
    s.prompt_tokens, s.completion_tokens, s.cost_usd::float8 AS cost_usd, s.judge_ms, s.error
FROM qa_cascade_steps s JOIN qa_evaluations e ON e.id = s.evaluation_id
"""
_STEPS_COMMENTS = {
    "workspace_id": "Workspace.",
    "evaluation_id": "The verdict.",
    "answered_at": "When the answer was finished.",
    "position": "Which of the judges that were asked it was, from 1.",
    "judge_model": "Judge of the step.",
    "prompt_version": "Versions of its prompts, or of the rules.",
    "last_judge": "The last judge of the cascade, who was asked for.",
    "correctness": "Its correctness, 0 to 1; NULL where it had no verdict.",
    "utility": "Its utility, 0 to 1.",
    "confidence": "The confidence of its verdict: high, medium or low.",
    "sure": "Whether its score was beyond its thresholds; NULL for the last judge.",
    "checked": "Whether it was sure, and the last judge was asked all the same.",
    "decided": "Whether its verdict is that of the answer.",
    "disagrees": "Whether one of this and the verdict of the answer says high and the other does"
    " not; NULL where it decided, or nobody after it did.",
    "prompt_tokens": "Tokens of all its calls for the answer.",
    "completion_tokens": "Tokens of all its replies for the answer.",
    "cost_usd": "Cost of all its calls for the answer; NULL where none has a known price.",
    "judge_ms": "Time that it took.",
    "error": "Why it had no verdict.",
}
# Of the sure, only the checked say how often the last judge disagrees: they were drawn by chance,
# and stand for all of them. The interval is Wilson's (1927), 95 %.
_VIEW = """
CREATE VIEW analytics.cascade AS
WITH steps AS (
    SELECT workspace_id, (answered_at AT TIME ZONE 'UTC')::date AS day, judge_model,
        count(*) AS asked,
        count(*) FILTER (WHERE error IS NOT NULL) AS failed,
        count(*) FILTER (WHERE sure) AS sure,
        count(*) FILTER (WHERE decided) AS decided,
        count(*) FILTER (WHERE checked AND disagrees IS NOT NULL) AS checked,
        count(*) FILTER (WHERE checked AND disagrees) AS disagreeing,
        count(*) FILTER (WHERE NOT sure AND disagrees IS NOT NULL) AS doubtful,
        count(*) FILTER (WHERE NOT sure AND disagrees) AS doubtful_disagreeing,
        round(sum(cost_usd)::numeric, 8)::float8 AS cost_usd
    FROM analytics.cascade_steps GROUP BY 1, 2, 3
), rates AS (
    SELECT *, disagreeing::float8 / NULLIF(checked, 0) AS rate,
        3.841459 / NULLIF(checked, 0) AS z
    FROM steps
), spreads AS (
    SELECT *, sqrt(z * rate * (1 - rate) + z * z / 4) AS spread FROM rates
)
SELECT workspace_id, day, judge_model, asked, failed, sure, decided,
    round(decided / NULLIF(sum(decided) OVER (PARTITION BY workspace_id, day), 0), 4)::float8
        AS decided_share,
    checked, round(rate::numeric, 4)::float8 AS sure_disagreement,
    round(greatest(0, (rate + z / 2 - spread) / (1 + z))::numeric, 4)::float8
        AS sure_disagreement_low,
    round(least(1, (rate + z / 2 + spread) / (1 + z))::numeric, 4)::float8
        AS sure_disagreement_high,
    doubtful, round(doubtful_disagreeing::numeric / NULLIF(doubtful, 0), 4)::float8
        AS doubtful_disagreement,
    round(((CASE WHEN sure = 0 THEN 0 ELSE sure * rate END + doubtful_disagreeing)
        / NULLIF(sure + doubtful, 0))::numeric, 4)::float8 AS disagreement,
    cost_usd
FROM spreads
"""
_COMMENTS = {
    "workspace_id": "Workspace.",
    "day": "Day of the answers in UTC.",
    "judge_model": "Judge of the step.",
    "asked": "Answers that it was asked about.",
    "failed": "Of asked, those that it had no verdict on, so that the next judge was asked.",
    "sure": "Of asked, those whose score was beyond its thresholds.",
    "decided": "Of asked, those whose verdict is its own.",
    "decided_share": "decided by the verdicts of all cascades of the day, 0 to 1.",
    "checked": "Of sure, those that the last judge was asked about all the same, and judged.",
    "sure_disagreement": "Share of the checked that one of the two calls high and the other does"
    " not; NULL without any.",
    "sure_disagreement_low": "Where the 95 % interval of sure_disagreement begins.",
    "sure_disagreement_high": "Where it ends.",
    "doubtful": "Answers of which it was not sure, and that a later judge has judged.",
    "doubtful_disagreement": "Share of the doubtful that one of the two calls high and the other"
    " does not.",
    "disagreement": "The same of all that it judged and was not the last to judge, where the"
    " checked stand for all that it was sure of; NULL where none of those was checked.",
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
    _create_views()


def downgrade() -> None:
    op.execute("DROP VIEW analytics.cascade")
    op.execute("DROP VIEW analytics.cascade_steps")
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


def _create_views() -> None:
    op.execute(f"GRANT SELECT ON {_STEPS} TO searchqa_views")
    op.execute(
        f"CREATE POLICY analytics ON {_STEPS} FOR SELECT TO searchqa_views"
        " USING (workspace_id = ANY (ARRAY(SELECT analytics.visible_workspaces())))"
    )
    # Giving views away takes the right to make them there, as in migration 0012.
    op.execute("GRANT CREATE ON SCHEMA analytics TO searchqa_views")
    steps = "What each judge of a cascade said of an answer, in the order in which they were asked."
    _create_view("cascade_steps", _STEPS_VIEW, steps, _STEPS_COMMENTS)
    days = (
        "What each judge of a cascade decided and cost by day, and how often the last judge"
        " disagrees."
    )
    _create_view("cascade", _VIEW, days, _COMMENTS)
    op.execute("REVOKE CREATE ON SCHEMA analytics FROM searchqa_views")


def _create_view(name: str, query: str, about: str, columns: Mapping[str, str]) -> None:
    op.execute(query)
    op.execute(f"COMMENT ON VIEW analytics.{name} IS 'Version 1. {about}'")
    for column, meaning in columns.items():
        op.execute(f"COMMENT ON COLUMN analytics.{name}.{column} IS '{meaning}'")
    op.execute(f"GRANT SELECT ON analytics.{name} TO searchqa_analyst, searchqa_app")
    op.execute(f"ALTER VIEW analytics.{name} OWNER TO searchqa_views")
