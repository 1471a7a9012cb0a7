"""A verdict tells how much of the answer and its notes was judged.

Nothing is rewritten: older rows keep NULL, which the constraint lets pass. Checking them reads the
table once.
"""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0021"
down_revision: str | None = "0020"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None

_COLUMNS = {
    "answer_chars": "Characters of the answer; NULL in older verdicts.",
    "judged_answer_chars": "Characters of it that were judged, from its beginning.",
    "note_chars": "Characters of the notes that the answer was given.",
    "judged_note_chars": "Characters of them that the judge was shown.",
}
_HIGH = "ck_qa_evaluations_high_only_when_all_judged"


def upgrade() -> None:
    added = ", ".join(f"ADD {name} integer" for name in _COLUMNS)
    op.execute(f"ALTER TABLE qa_evaluations {added}")
    op.execute(
        f"ALTER TABLE qa_evaluations ADD CONSTRAINT {_HIGH} CHECK (confidence <> 'high' OR"
        " (judged_answer_chars >= answer_chars AND judged_note_chars >= note_chars))"
    )
    _replace_view(filled=True)
    for name, meaning in _COLUMNS.items():
        op.execute(f"COMMENT ON COLUMN analytics.verdicts.{name} IS '{meaning}'")


def downgrade() -> None:
    _replace_view(filled=False)
    dropped = ", ".join(f"DROP {name}" for name in _COLUMNS)
    op.execute(f"ALTER TABLE qa_evaluations DROP CONSTRAINT {_HIGH}, {dropped}")


def _replace_view(*, filled: bool) -> None:
    """Puts the columns at the end of the view as it stands. They cannot be taken away, see 0014:
    on the way down they stay, empty."""
    view = op.get_bind().scalar(sa.text("SELECT pg_get_viewdef('analytics.verdicts'::regclass)"))
    empty = {name: f"NULL::integer AS {name}" for name in _COLUMNS}
    if not all(name in view for name in _COLUMNS):
        added = "".join(f",\n    {column}" for column in empty.values())
        view = view.replace("\n   FROM ", f"{added}\n   FROM ", 1)
    for name, column in empty.items():
        view = view.replace(column, f"e.{name}") if filled else view.replace(f"e.{name}", column)
    op.execute(f"CREATE OR REPLACE VIEW analytics.verdicts AS {view}")
