"""Days to be rolled up are found by index, emptied replies mark none, a drop of a month locks its
tables for less long, and leaps of the clock are remembered."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

from migrations.concurrent_index import create_index
from migrations.functions import create_function

revision: str = "0054"
down_revision: str | None = "0053"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None

_INDEX, _DAYS, _CLOCK = "ix_qa_rolled_days_wanted", "qa_rolled_days", "database_clock"
_CALLS, _BEFORE = "mark_days_of_calls", "mark_days_of_findings"


def upgrade() -> None:
    create_index(_INDEX, _DAYS, ["day"], "zones IS NULL")
    op.execute(create_function(_CALLS))
    # First, since its lock is the stronger one: to ask for it with the other in hand is a deadlock
    # with whoever has read the table and is about to write to it.
    op.execute(f"DROP TRIGGER {_BEFORE}_update ON judge_calls")
    op.execute(
        f"CREATE TRIGGER {_CALLS}_update AFTER UPDATE ON judge_calls"
        " REFERENCING OLD TABLE AS changed NEW TABLE AS became"
        f" FOR EACH STATEMENT EXECUTE FUNCTION {_CALLS}()"
    )
    op.execute(create_function("drop_month_partition"))
    # It belongs to no workspace. Workers have their rights by default.
    op.create_table(
        _CLOCK,
        sa.Column("id", sa.Boolean(), server_default=sa.true(), nullable=False),
        sa.Column("seen_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("held_until", sa.DateTime(timezone=True)),
        sa.CheckConstraint("id", name=op.f("ck_database_clock_one_row")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_database_clock")),
    )


def downgrade() -> None:
    op.drop_table(_CLOCK)
    op.execute(f"DROP TRIGGER {_CALLS}_update ON judge_calls")
    op.execute(
        f"CREATE TRIGGER {_BEFORE}_update AFTER UPDATE ON judge_calls"
        " REFERENCING OLD TABLE AS changed"
        f" FOR EACH STATEMENT EXECUTE FUNCTION {_BEFORE}()"
    )
    op.execute(f"DROP FUNCTION {_CALLS}")
    op.drop_index(_INDEX, _DAYS)
