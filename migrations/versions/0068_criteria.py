"""A workspace's own criteria, those in force, and the version that gave a score."""

import re
from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

from migrations.functions import create_function
from migrations.row_security import protect, unprotect

revision: str = "0068"
down_revision: str | None = "0067"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None

_TABLE = "judge_criteria"
_VIEW = """
CREATE VIEW analytics.criterion_scores AS
SELECT s.workspace_id, s.evaluation_id, s.name AS criterion, s.criterion_version AS version,
    s.value, s.label, s.reasoning, s.source
FROM qa_scores s WHERE s.criterion_version IS NOT NULL
"""
_COMMENTS = {
    "workspace_id": "Workspace.",
    "evaluation_id": "The verdict.",
    "criterion": "Name of the criterion of the workspace.",
    "version": "Version of the criterion.",
    "value": "Score, 0 to 1; NULL where nobody said.",
    "label": "Word of the scale; NULL for a scale of numbers.",
    "reasoning": "Why, in words of the judge or of the rule.",
    "source": "judge or rules.",
}
# What the event did not have before this migration.
_IN_EVENTS = re.compile(r" *'criteria', \(SELECT .*?IS NOT NULL\),\n", re.DOTALL)


def upgrade() -> None:
    op.create_table(
        _TABLE,
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("reference", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("question", sa.Text(), nullable=False),
        sa.Column("scale", sa.ARRAY(sa.Text()), nullable=False),
        sa.Column("pattern", sa.Text(), nullable=True),
        sa.Column("json_schema", sa.Text(), nullable=True),
        sa.Column("min_chars", sa.Integer(), nullable=True),
        sa.Column("max_chars", sa.Integer(), nullable=True),
        sa.Column("features", sa.ARRAY(sa.Text()), nullable=True),
        sa.Column("languages", sa.ARRAY(sa.Text()), nullable=True),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("made_by", sa.Text(), nullable=False),
        sa.Column("archived_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column(
            "created_at", sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False
        ),
        sa.CheckConstraint("name ~ '^[a-z][a-z0-9_]{0,39}$'", name=op.f("ck_judge_criteria_name")),
        sa.CheckConstraint("version BETWEEN 1 AND 99999", name=op.f("ck_judge_criteria_version")),
        sa.CheckConstraint(
            "kind IN ('model', 'regex', 'json_schema', 'length')",
            name=op.f("ck_judge_criteria_kind_known"),
        ),
        sa.CheckConstraint(
            "cardinality(scale) IN (0, 2, 3, 4, 5)", name=op.f("ck_judge_criteria_scale")
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspaces.id"],
            name=op.f("fk_judge_criteria_workspace_id_workspaces"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_judge_criteria")),
        sa.UniqueConstraint(
            *("workspace_id", "name", "version"),
            name=op.f("uq_judge_criteria_workspace_id_name_version"),
        ),
        sa.UniqueConstraint("workspace_id", "reference", name=op.f("uq_judge_criteria_reference")),
    )
    protect(_TABLE)
    op.execute("ALTER TABLE evaluation_policies ADD COLUMN IF NOT EXISTS criteria text[]")
    op.add_column("qa_scores", sa.Column("criterion_version", sa.Integer(), nullable=True))
    op.add_column("eval_runs", sa.Column("criteria", sa.ARRAY(sa.Text()), nullable=True))
    op.add_column("eval_results", sa.Column("criteria", postgresql.JSONB(), nullable=True))
    op.execute(create_function("deliver_verdict_event"))
    _create_view()


def _create_view() -> None:
    op.execute("GRANT SELECT ON qa_scores TO searchqa_views")
    op.execute(
        "CREATE POLICY analytics ON qa_scores FOR SELECT TO searchqa_views"
        " USING (workspace_id = ANY (ARRAY(SELECT analytics.visible_workspaces())))"
    )
    # Giving views away takes the right to make them there, as in migration 0012.
    op.execute("GRANT CREATE ON SCHEMA analytics TO searchqa_views")
    op.execute(_VIEW)
    op.execute(
        "COMMENT ON VIEW analytics.criterion_scores IS 'Version 1. One row for each criterion of a"
        " workspace that was for a judged answer.'"
    )
    for column, meaning in _COMMENTS.items():
        op.execute(f"COMMENT ON COLUMN analytics.criterion_scores.{column} IS '{meaning}'")
    op.execute("GRANT SELECT ON analytics.criterion_scores TO searchqa_analyst, searchqa_app")
    op.execute("ALTER VIEW analytics.criterion_scores OWNER TO searchqa_views")
    op.execute("REVOKE CREATE ON SCHEMA analytics FROM searchqa_views")


def downgrade() -> None:
    op.execute(_IN_EVENTS.sub("", create_function("deliver_verdict_event")))
    op.execute("DROP VIEW analytics.criterion_scores")
    op.execute("DROP POLICY analytics ON qa_scores")
    op.execute("REVOKE ALL ON qa_scores FROM searchqa_views")
    op.drop_column("eval_results", "criteria")
    op.drop_column("eval_runs", "criteria")
    op.drop_column("qa_scores", "criterion_version")
    op.drop_column("evaluation_policies", "criteria")
    unprotect(_TABLE)
    op.drop_table(_TABLE)
