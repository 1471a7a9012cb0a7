"""The table of the steps of cascades."""

import datetime as dt
import uuid
from decimal import Decimal

from sqlalchemy import CheckConstraint, ForeignKey, Index, Numeric, SmallInteger, String, Text, text
from sqlalchemy.orm import Mapped, mapped_column

from app.platform.db.base import Base, InWorkspace


class QACascadeStep(InWorkspace, Base):
    """What one judge of a cascade said of an answer, in the order in which they were asked.

    sure: its score is beyond its thresholds, NULL for the last judge, who need not be; checked: it
    was, and the last judge was asked all the same; decided: its verdict is the answer's. confidence
    is the level that the verdict has, or would have had. error: why it said nothing. Tokens and
    cost are of all its calls for this answer.
    """

    __tablename__ = "qa_cascade_steps"
    __table_args__ = (
        Index(None, "workspace_id", "created_at"),
        CheckConstraint("correctness BETWEEN 0 AND 1", name="correctness_unit_interval"),
        CheckConstraint("utility BETWEEN 0 AND 1", name="utility_unit_interval"),
        CheckConstraint("(correctness IS NULL) = (error IS NOT NULL)", name="score_or_error"),
        {"postgresql_partition_by": "RANGE (evaluation_id)"},
    )

    evaluation_id: Mapped[uuid.UUID] = mapped_column(
        ForeignKey("qa_evaluations.id", ondelete="CASCADE"), primary_key=True
    )
    position: Mapped[int] = mapped_column(SmallInteger, primary_key=True, autoincrement=False)
    attempt: Mapped[int]
    judge_model: Mapped[str] = mapped_column(Text)
    prompt_version: Mapped[str | None] = mapped_column(Text)
    correctness: Mapped[float | None]
    utility: Mapped[float | None]
    confidence: Mapped[str | None] = mapped_column(String(8))
    sure: Mapped[bool | None]
    checked: Mapped[bool]
    decided: Mapped[bool]
    prompt_tokens: Mapped[int | None]
    completion_tokens: Mapped[int | None]
    cost_usd: Mapped[Decimal | None] = mapped_column(Numeric(12, 8))
    judge_ms: Mapped[float | None]
    error: Mapped[str | None] = mapped_column(Text)
    created_at: Mapped[dt.datetime] = mapped_column(server_default=text("now()"))
