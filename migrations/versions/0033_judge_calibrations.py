"""Guarantees of judges, and the chance that people agree with a verdict beside its score.

Nothing is rewritten: verdicts that there are keep NULL. Checking them reads the table once.
"""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

from migrations.row_security import protect, unprotect

revision: str = "0033"
down_revision: str | None = "0032"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None

_TABLE = "judge_calibrations"
_CHANCE = "ck_qa_evaluations_probability_unit_interval"


def upgrade() -> None:
    op.create_table(
        _TABLE,
        sa.Column("judge_model", sa.Text(), nullable=False),
        sa.Column("prompt_version", sa.Text(), nullable=False),
        sa.Column("precision", sa.Float(), nullable=False),
        sa.Column("confidence", sa.Float(), nullable=False),
        sa.Column("threshold", sa.Float(), nullable=False),
        sa.Column("labels", sa.Integer(), nullable=False),
        sa.Column("labels_right", sa.Integer(), nullable=False),
        sa.Column("stays_high", sa.Float(), nullable=False),
        sa.Column("scores", postgresql.ARRAY(sa.Float()), nullable=False),
        sa.Column("chances", postgresql.ARRAY(sa.Float()), nullable=False),
        sa.Column("policy_version", sa.Integer(), nullable=False),
        sa.Column(
            *("created_at", sa.DateTime(timezone=True)),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        sa.CheckConstraint(
            "precision > 0 AND precision < 1", name=op.f("ck_judge_calibrations_precision")
        ),
        sa.CheckConstraint(
            "confidence > 0 AND confidence < 1", name=op.f("ck_judge_calibrations_confidence")
        ),
        sa.CheckConstraint(
            "threshold BETWEEN 0 AND 1", name=op.f("ck_judge_calibrations_threshold")
        ),
        sa.CheckConstraint(
            "labels_right BETWEEN 0 AND labels", name=op.f("ck_judge_calibrations_labels_right")
        ),
        sa.CheckConstraint(
            "stays_high BETWEEN 0 AND 1", name=op.f("ck_judge_calibrations_stays_high")
        ),
        sa.CheckConstraint(
            "cardinality(scores) = cardinality(chances) AND cardinality(scores) > 0",
            name=op.f("ck_judge_calibrations_chances"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspaces.id"],
            name=op.f("fk_judge_calibrations_workspace_id_workspaces"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint(
            *("workspace_id", "judge_model", "prompt_version"),
            name=op.f("pk_judge_calibrations"),
        ),
    )
    protect(_TABLE)
    op.add_column("qa_evaluations", sa.Column("probability", sa.Float()))
    op.execute(
        f"ALTER TABLE qa_evaluations ADD CONSTRAINT {_CHANCE}"
        " CHECK (probability >= 0 AND probability <= 1)"
    )
    _replace_view(filled=True)
    op.execute(
        "COMMENT ON COLUMN analytics.verdicts.probability IS 'Chance that people find the answer"
        " right, 0 to 1, by the calibration of the judge; NULL without one.'"
    )


def downgrade() -> None:
    _replace_view(filled=False)
    op.drop_column("qa_evaluations", "probability")
    unprotect(_TABLE)
    op.drop_table(_TABLE)


def _replace_view(*, filled: bool) -> None:
    """Puts the column at the end of the view as it stands. It cannot be taken away, see 0014: on
    the way down it stays, empty."""
    view = op.get_bind().scalar(sa.text("SELECT pg_get_viewdef('analytics.verdicts'::regclass)"))
    empty, column = "NULL::double precision AS probability", "e.probability"
    if "probability" not in view:
        view = view.replace("\n   FROM ", f",\n    {empty}\n   FROM ", 1)
    view = view.replace(empty, column) if filled else view.replace(column, empty)
    op.execute(f"CREATE OR REPLACE VIEW analytics.verdicts AS {view}")
