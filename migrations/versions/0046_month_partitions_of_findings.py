"""What verdicts say, the steps of cascades and the sources of answers in month partitions: see
revision 0045."""

from collections.abc import Sequence

from alembic import op

from migrations.functions import create_function
from migrations.partitioning import MonthTable, partition_by_month, unpartition

revision: str = "0046"
down_revision: str | None = "0045"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None

_OF_VERDICTS = {
    "qa_evaluation_sources": "note_index",
    "qa_evaluation_issues": "position",
    "qa_claims": "position",
    "qa_cascade_steps": "position",
}
_UNIQUE_SCORES = "uq_qa_scores_evaluation_id_name UNIQUE (evaluation_id, name)"
# Statements know it by this name.
_OF_CLAIM = "fk_qa_feedback_evaluation_id_claim_position_qa_claims"
_CHECK_OF_CLAIM = f"""
CREATE TRIGGER check_labelled_claim
BEFORE INSERT OR UPDATE OF evaluation_id, claim_position ON qa_feedback
FOR EACH ROW WHEN (NEW.claim_position IS NOT NULL)
EXECUTE FUNCTION check_labelled_claim('{_OF_CLAIM}')
"""


def upgrade() -> None:
    op.execute(create_function("check_labelled_claim"))
    # After a killed run the first three are there already.
    op.execute("DROP TRIGGER IF EXISTS check_labelled_claim ON qa_feedback")
    op.execute(_CHECK_OF_CLAIM)
    op.execute(f"ALTER TABLE qa_feedback DROP CONSTRAINT IF EXISTS {_OF_CLAIM}")
    partition_by_month(
        *(
            MonthTable(table, "evaluation_id", ("evaluation_id", number))
            for table, number in _OF_VERDICTS.items()
        ),
        MonthTable("qa_scores", "evaluation_id", ("evaluation_id", "name")),
        MonthTable("qa_answer_sources", "answer_id", ("answer_id", "note_index")),
    )


def downgrade() -> None:
    unpartition("qa_answer_sources", ("answer_id", "note_index"))
    unpartition("qa_scores", ("id",), unique=_UNIQUE_SCORES)
    for table, number in reversed(_OF_VERDICTS.items()):
        unpartition(table, ("evaluation_id", number))
    op.create_foreign_key(
        *(_OF_CLAIM, "qa_feedback", "qa_claims"),
        *(["evaluation_id", "claim_position"], ["evaluation_id", "position"]),
        ondelete="CASCADE",
    )
    op.execute("DROP TRIGGER check_labelled_claim ON qa_feedback")
    op.execute("DROP FUNCTION check_labelled_claim")
