"""A stratum no longer stores how many of it were drawn: its items say so."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0032"
down_revision: str | None = "0031"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None


def upgrade() -> None:
    op.drop_column("review_strata", "drawn")


def downgrade() -> None:
    op.add_column("review_strata", sa.Column("drawn", sa.Integer()))
    op.execute(
        "UPDATE review_strata s SET drawn ="
        " (SELECT count(*) FROM review_items i WHERE i.stratum_id = s.id)"
    )
    op.alter_column("review_strata", "drawn", nullable=False)
    op.create_check_constraint(
        op.f("ck_review_strata_drawn_from_frame"),
        "review_strata",
        "drawn <= cardinality(answer_ids)",
    )
