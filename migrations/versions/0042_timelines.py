"""What a timeline of a verdict needs: how long the notes were searched and until the model's first
words, what each call to a judge was for and how long it took, failed ones included, to which
attempt an event belongs and why a row waits, and when a reader was first sent a verdict.

Older rows keep NULL: it is not known of them.
"""

from collections.abc import Mapping, Sequence

import sqlalchemy as sa
from alembic import op
from sqlalchemy.types import TypeEngine

revision: str = "0042"
down_revision: str | None = "0041"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None

_COLUMNS: Mapping[str, Mapping[str, TypeEngine[object]]] = {
    "qa_answers": {"search_ms": sa.Double(), "first_chunk_ms": sa.Double()},
    "judge_calls": {"purpose": sa.Text(), "re_ask": sa.Boolean(), "elapsed_ms": sa.Double()},
    "judge_batch_lines": {"purpose": sa.Text()},
    "verdict_events": {
        "attempt": sa.Integer(),
        "reason": sa.Text(),
        "delivered_at": sa.DateTime(timezone=True),
    },
}


def upgrade() -> None:
    for table, columns in _COLUMNS.items():
        for name, kind in columns.items():
            op.add_column(table, sa.Column(name, kind))


def downgrade() -> None:
    for table, columns in _COLUMNS.items():
        for name in columns:
            op.drop_column(table, name)
