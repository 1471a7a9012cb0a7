"""Verdicts that wait keep the prompt that they were planned with: the usual one is another now."""

from collections.abc import Sequence

from alembic import op

revision: str = "0025"
down_revision: str | None = "0024"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None


def upgrade() -> None:
    # Their judge_key names it. NULL stands for whatever prompt is the usual one.
    op.execute(
        "UPDATE qa_evaluations SET judge_prompt = 'search-qa-eval-1'"
        " WHERE status IN ('queued', 'running', 'retrying') AND judge_prompt IS NULL"
        " AND judge_key LIKE '%search-qa-eval-1%'"
    )


def downgrade() -> None:
    """Nothing to undo: the version before reads the name as its usual prompt."""
