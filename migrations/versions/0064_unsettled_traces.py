"""An index that begins with the workspace, for due traces in turn and the count of unsettled ones.
Writers go on meanwhile."""

from collections.abc import Sequence

from migrations.concurrent_index import create_index, drop_index

revision: str = "0064"
down_revision: str | None = "0063"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None

_TABLE, _UNSETTLED, _DUE = "traces", "ix_traces_unsettled", "ix_traces_due"
_WHERE = "settle_at IS NOT NULL"


def upgrade() -> None:
    create_index(_UNSETTLED, _TABLE, ["workspace_id", "settle_at"], _WHERE)
    # contract: no statement names an index.
    drop_index(_DUE, _TABLE)


def downgrade() -> None:
    create_index(_DUE, _TABLE, ["settle_at"], _WHERE)
    drop_index(_UNSETTLED, _TABLE)
