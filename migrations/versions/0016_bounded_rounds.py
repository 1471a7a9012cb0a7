"""What the dispatcher's rounds and judging again read stays small, however many rows there are.

`recheck_after` marks the degraded verdicts whose judges are still to be asked; jobs keep where they
are; what is due is found judge by judge.
"""

from collections.abc import Sequence
from importlib import import_module

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision: str = "0016"
down_revision: str | None = "0015"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None

_WAITING = "status IN ('queued', 'retrying')"
_NEW = (
    ("ix_qa_evaluations_due", ["queue", "judge_model", "run_at"], _WAITING),
    ("ix_qa_evaluations_probes", ["queue"], f"{_WAITING} AND reason = 'probe'"),
    (
        "ix_qa_evaluations_recheck",
        ["workspace_id", "judge_model", "recheck_after"],
        "recheck_after IS NOT NULL",
    ),
    ("ix_qa_evaluations_job", ["job_id", "finished_at"], "job_id IS NOT NULL"),
)
_OLD = (
    ("ix_qa_evaluations_due", ["queue", "run_at"], _WAITING),
    ("ix_qa_evaluations_degraded", ["judge_model"], "is_current AND degraded"),
    ("ix_qa_evaluations_job", ["job_id", "status"], "job_id IS NOT NULL"),
)
_MEAN = "round((avg(v.{0}) FILTER (WHERE NOT v.degraded))::numeric, 4)::float8"
_REASONS = {
    "no_context": "",
    "sampled_out": "",
    "disabled": "",
    "not_search_qa": "",
    "cancelled": "Skipped: it was to be judged again, and is not.",
    "filtered_feature": "Skipped: the policy judges other features.",
    "filtered_language": "Skipped: the policy judges other languages.",
    "filtered_length": "Skipped: the policy judges other lengths.",
    "filtered_notebook": "Skipped: the policy judges other notebooks.",
}
# As in 0012, and the reasons that came since: the sum of them is what was skipped.
_DAILY_QUALITY = f"""
CREATE OR REPLACE VIEW analytics.daily_quality AS
SELECT v.workspace_id, (v.answered_at AT TIME ZONE 'UTC')::date AS day,
    {_MEAN.format("correctness")} AS correctness, {_MEAN.format("utility")} AS utility,
    count(*) AS answers,
    count(*) FILTER (WHERE v.status = 'succeeded') AS judged,
    count(v.correctness) FILTER (WHERE NOT v.degraded) AS scored,
    count(*) FILTER (WHERE v.degraded) AS degraded,
    count(*) FILTER (WHERE v.status = 'skipped') AS skipped,
    count(*) FILTER (WHERE v.status = 'failed') AS failed,
    count(*) FILTER (WHERE v.status IN ('queued', 'running', 'retrying')) AS pending,
    {", ".join(f"count(*) FILTER (WHERE v.reason = '{name}') AS {name}" for name in _REASONS)}
    {{more}}
FROM analytics.verdicts v
WHERE v.is_current
GROUP BY 1, 2
"""
# As in 0009, but for when a row is looked at again that may fit into the budget once others have
# told their real cost: the longer it has waited, the later, so that a large backlog is not claimed
# anew every five seconds.
_EARLIER = import_module("migrations.versions.0009_evaluation_policies").OVER_BUDGET
_SOON = "interval '5 seconds'"
OVER_BUDGET = _EARLIER.replace(
    _SOON, f"least(greatest({_SOON}, waiting.age / 10), interval '1 minute')"
).replace("AS cost FROM", "AS cost, now() - e.created_at AS age FROM")
# What an author has said of an answer at one of its verdicts is replaced by what the same author
# said later at another.
_FORGET_EARLIER_LABELS = """
DELETE FROM qa_feedback f USING qa_feedback later
WHERE later.answer_id = f.answer_id AND later.author = f.author
  AND f.claim_position IS NULL AND later.claim_position IS NULL
  AND (later.updated_at, later.id) > (f.updated_at, f.id)
"""


def upgrade() -> None:
    op.add_column("qa_evaluations", sa.Column("recheck_after", sa.DateTime(timezone=True)))
    op.execute(
        "UPDATE qa_evaluations SET recheck_after = finished_at"
        " WHERE is_current AND degraded AND judge_key LIKE '%/degraded'"
    )
    _exchange(_OLD, _NEW)
    op.execute(_FORGET_EARLIER_LABELS)
    _make_labels_unique(nulls_not_distinct=False)
    op.create_index(
        "uq_qa_feedback_whole_answer",
        "qa_feedback",
        ["answer_id", "author"],
        unique=True,
        postgresql_where=sa.text("claim_position IS NULL"),
    )
    op.execute(OVER_BUDGET)
    op.execute(_DAILY_QUALITY.format(more=_more()))
    for column, meaning in _REASONS.items():
        if meaning:
            op.execute(f"COMMENT ON COLUMN analytics.daily_quality.{column} IS '{meaning}'")
    op.add_column("evaluation_policies", sa.Column("judge_prompt", sa.Text()))
    op.add_column("jobs", sa.Column("state", JSONB(), server_default="{}", nullable=False))


def downgrade() -> None:
    # The columns of the view stay, as in 0014.
    op.execute(_EARLIER)
    op.drop_index("uq_qa_feedback_whole_answer", "qa_feedback")
    _make_labels_unique(nulls_not_distinct=True)
    op.drop_column("jobs", "state")
    op.drop_column("evaluation_policies", "judge_prompt")
    _exchange(_NEW, _OLD)
    op.drop_column("qa_evaluations", "recheck_after")


def _make_labels_unique(*, nulls_not_distinct: bool) -> None:
    name = op.f("uq_qa_feedback_evaluation_id_author_claim_position")
    op.drop_constraint(name, "qa_feedback", type_="unique")
    op.create_unique_constraint(
        name,
        "qa_feedback",
        ["evaluation_id", "author", "claim_position"],
        postgresql_nulls_not_distinct=nulls_not_distinct,
    )


def _exchange(
    old: Sequence[tuple[str, list[str], str]], new: Sequence[tuple[str, list[str], str]]
) -> None:
    for name, _, _ in old:
        op.drop_index(name, table_name="qa_evaluations")
    for name, columns, where in new:
        op.create_index(name, "qa_evaluations", columns, postgresql_where=sa.text(where))


def _more() -> str:
    """Columns of a view cannot be taken away: those of later migrations stay, empty, as in 0014."""
    later = op.get_bind().execute(
        sa.text(
            "SELECT attname, format_type(atttypid, atttypmod) FROM pg_attribute"
            " WHERE attrelid = 'analytics.daily_quality'::regclass AND attnum >"
            " (SELECT attnum FROM pg_attribute WHERE attname = 'filtered_notebook'"
            "  AND attrelid = 'analytics.daily_quality'::regclass) ORDER BY attnum"
        )
    )
    return "".join(f", NULL::{type_} AS {name}" for name, type_ in later)
