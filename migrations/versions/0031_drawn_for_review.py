"""Answers drawn at random for people to label, and the views that estimates are made of."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

from migrations.row_security import protect, unprotect

revision: str = "0031"
down_revision: str | None = "0030"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None

_TABLES = ("review_draws", "review_strata", "review_items")


class View(NamedTuple):
    comment: str
    columns: Mapping[str, str]
    query: str


_FRAMES = View(
    "Which answers each draw could have picked: one row for each draw and answer of its frame.",
    {
        "workspace_id": "Workspace of the draw.",
        "draw_id": "The draw; GET /review/samples lists them.",
        "stratum_id": "The part of its frame; every answer in it had the same chance.",
        "stratum": "Its name, such as high · ko.",
        "answer_id": "The answer, also where it was deleted since.",
    },
    """
    SELECT s.workspace_id, s.draw_id, s.id AS stratum_id, s.name AS stratum, f.answer_id
    FROM review_strata s CROSS JOIN LATERAL unnest(s.answer_ids) AS f (answer_id)
    """,
)
_LABELS = View(
    "One row for each drawn answer, with what people say of it: of several, the middle, of two the"
    " worse. A draw is labelled in its random order; a label counts as long as nine of ten answers"
    " up to it have one, so that labels given elsewhere to doubtful answers do not come first.",
    {
        "workspace_id": "Workspace of the answer.",
        "draw_id": "The draw that picked it.",
        "stratum_id": "The stratum it was picked from.",
        "answer_id": "The answer.",
        "position": "Its place in the random order of the draw, from 1.",
        "inclusion_probability": "Chance with which its draw picked it, above 0 to 1.",
        "human_correctness": "right 1, partly 0.5, wrong 0; NULL without a label.",
        "human_utility": "useful 1, partly 0.5, useless 0; NULL without such a label.",
        "correctness_counts": "Whether human_correctness counts in estimates.",
        "utility_counts": "Whether human_utility counts in estimates.",
    },
    """
    WITH labelled AS (
        SELECT i.workspace_id, i.draw_id, i.stratum_id, i.answer_id, i.position,
            i.inclusion_probability, l.human_correctness, l.human_utility
        FROM review_items i
        LEFT JOIN LATERAL (
            SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY
                    CASE f.label WHEN 'right' THEN 1 WHEN 'partly' THEN 0.5 ELSE 0 END::float8)
                    AS human_correctness,
                percentile_disc(0.5) WITHIN GROUP (ORDER BY
                    CASE f.utility_label WHEN 'useful' THEN 1 WHEN 'partly' THEN 0.5
                        WHEN 'useless' THEN 0 END::float8) AS human_utility
            FROM qa_feedback f
            WHERE f.answer_id = i.answer_id AND f.claim_position IS NULL
        ) l ON true
    ), counted AS (
        SELECT l.*, row_number() OVER ordered AS place,
            count(human_correctness) OVER ordered AS of_correctness,
            count(human_utility) OVER ordered AS of_utility
        FROM labelled l
        WINDOW ordered AS (PARTITION BY draw_id ORDER BY position)
    ), reached AS (
        SELECT c.*,
            max(place) FILTER (WHERE of_correctness >= 0.9 * place) OVER of_draw AS correctness_to,
            max(place) FILTER (WHERE of_utility >= 0.9 * place) OVER of_draw AS utility_to
        FROM counted c
        WINDOW of_draw AS (PARTITION BY draw_id)
    )
    SELECT workspace_id, draw_id, stratum_id, answer_id, position, inclusion_probability,
        human_correctness, human_utility,
        human_correctness IS NOT NULL AND place <= COALESCE(correctness_to, 0)
            AS correctness_counts,
        human_utility IS NOT NULL AND place <= COALESCE(utility_to, 0) AS utility_counts
    FROM reached
    """,
)
_VIEWS = {"sample_frames": _FRAMES, "sampled_labels": _LABELS}


def upgrade() -> None:
    op.create_table(
        "review_draws",
        sa.Column("seed", sa.BigInteger(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
        sa.Column("until", sa.DateTime(timezone=True), nullable=False),
        sa.Column("notebook_id", sa.Uuid()),
        sa.Column("judge_model", sa.Text()),
        sa.Column("stratify", postgresql.ARRAY(sa.Text()), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column(
            *("created_at", sa.DateTime(timezone=True)),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        _belongs_to("review_draws", "workspace_id", "workspaces"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_review_draws")),
    )
    op.create_index(op.f("ix_review_draws_workspace_id_id"), "review_draws", ["workspace_id", "id"])
    op.create_table(
        "review_strata",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("draw_id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("drawn", sa.Integer(), nullable=False),
        sa.Column("answer_ids", postgresql.ARRAY(sa.Uuid()), nullable=False),
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        sa.CheckConstraint(
            "drawn <= cardinality(answer_ids)", name=op.f("ck_review_strata_drawn_from_frame")
        ),
        _belongs_to("review_strata", "draw_id", "review_draws"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_review_strata")),
        sa.UniqueConstraint("draw_id", "name", name=op.f("uq_review_strata_draw_id_name")),
    )
    op.create_table(
        "review_items",
        sa.Column("answer_id", sa.Uuid(), nullable=False),
        sa.Column("draw_id", sa.Uuid(), nullable=False),
        sa.Column("stratum_id", sa.Uuid(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("inclusion_probability", sa.Float(), nullable=False),
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        sa.CheckConstraint(
            "inclusion_probability > 0 AND inclusion_probability <= 1",
            name=op.f("ck_review_items_probability_range"),
        ),
        _belongs_to("review_items", "answer_id", "qa_answers"),
        _belongs_to("review_items", "draw_id", "review_draws"),
        _belongs_to("review_items", "stratum_id", "review_strata"),
        sa.PrimaryKeyConstraint("answer_id", name=op.f("pk_review_items")),
        sa.UniqueConstraint("draw_id", "position", name=op.f("uq_review_items_draw_id_position")),
    )
    op.create_index(op.f("ix_review_items_stratum_id"), "review_items", ["stratum_id"])
    protect(*_TABLES)
    for table in ("review_strata", "review_items"):
        op.execute(f"GRANT SELECT ON {table} TO searchqa_views")
        op.execute(
            f"CREATE POLICY analytics ON {table} FOR SELECT TO searchqa_views"
            " USING (workspace_id = ANY (ARRAY(SELECT analytics.visible_workspaces())))"
        )
    # Giving a view away takes the right to make one there, as in migration 0012.
    op.execute("GRANT CREATE ON SCHEMA analytics TO searchqa_views")
    for name, view in _VIEWS.items():
        _create_view(f"analytics.{name}", view)
    op.execute("REVOKE CREATE ON SCHEMA analytics FROM searchqa_views")


def downgrade() -> None:
    for name in _VIEWS:
        op.execute(f"DROP VIEW analytics.{name}")
    for table in ("review_strata", "review_items"):
        op.execute(f"DROP POLICY analytics ON {table}")
        op.execute(f"REVOKE ALL ON {table} FROM searchqa_views")
    unprotect(*_TABLES)
    for table in reversed(_TABLES):
        op.drop_table(table)


def _belongs_to(table: str, column: str, parent: str) -> sa.ForeignKeyConstraint:
    name = op.f(f"fk_{table}_{column}_{parent}")
    return sa.ForeignKeyConstraint([column], [f"{parent}.id"], name=name, ondelete="CASCADE")


def _create_view(name: str, view: View) -> None:
    op.execute(f"CREATE VIEW {name} AS {view.query}")
    _comment(f"VIEW {name}", f"Version 1. {view.comment}")
    for column, meaning in view.columns.items():
        _comment(f"COLUMN {name}.{column}", meaning)
    op.execute(f"GRANT SELECT ON {name} TO searchqa_analyst, searchqa_app")
    op.execute(f"ALTER VIEW {name} OWNER TO searchqa_views")


def _comment(what: str, text: str) -> None:
    op.execute(f"COMMENT ON {what} IS '{text}'")
