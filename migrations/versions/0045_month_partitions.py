"""Events of verdicts and calls of judges in month partitions.

They are moved beside the use of the tables, and the columns and keys that statements name stay. A
killed migration goes on where it was; see migrations/partitioning.py.
"""

from collections.abc import Sequence

from alembic import op

from migrations.functions import create_function
from migrations.partitioning import MonthTable, partition_by_month, unpartition
from migrations.row_security import WORKER_ROLE

revision: str = "0045"
down_revision: str | None = "0044"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None

# In order, for each needs those before it.
_FUNCTIONS = {
    "uuid_lower_bound": "timestamptz",
    "add_month_partition": "regclass, date",
    "drop_month_partition": "regclass, date",
    "analyze_partitioned": "regclass",
}


def upgrade() -> None:
    op.execute("CREATE SCHEMA IF NOT EXISTS partitions")
    for name, parameters in _FUNCTIONS.items():
        op.execute(create_function(name))
        if name != "uuid_lower_bound":
            op.execute(f"REVOKE ALL ON FUNCTION {name}({parameters}) FROM PUBLIC")
            op.execute(f"GRANT EXECUTE ON FUNCTION {name}({parameters}) TO {WORKER_ROLE}")
    partition_by_month(
        MonthTable("verdict_events", "evaluation_id", ("id", "evaluation_id")),
        MonthTable("judge_calls", "id", ("id",)),
    )


def downgrade() -> None:
    unpartition("judge_calls", ("id",))
    unpartition("verdict_events", ("id",))
    for name, parameters in reversed(_FUNCTIONS.items()):
        op.execute(f"DROP FUNCTION {name}({parameters})")
    op.execute("DROP SCHEMA partitions")
