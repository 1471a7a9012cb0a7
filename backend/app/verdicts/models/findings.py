"""Tables of what a verdict says: of the notes, of the claims, and in scores. All of them are in
partitions by the month of the verdict."""

import datetime as dt
import uuid
from typing import Any

from sqlalchemy import CheckConstraint, ForeignKey, String, Text, func
from sqlalchemy.orm import Mapped, mapped_column

from app.platform.db.base import Base, InWorkspace
from app.platform.ids import new_id

_BY_MONTH = {"postgresql_partition_by": "RANGE (evaluation_id)"}


class QAEvaluationSource(Base, InWorkspace):
    """Whether the answer used one of its notes. `quote_found` is checked by code."""

    __tablename__ = "qa_evaluation_sources"
    __table_args__ = _BY_MONTH

    evaluation_id: Mapped[uuid.UUID] = mapped_column(
        ForeignKey("qa_evaluations.id", ondelete="CASCADE"), primary_key=True
    )
    note_index: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    cited: Mapped[bool]
    relevant_claim: Mapped[str] = mapped_column(Text)
    quote: Mapped[str] = mapped_column(Text)
    quote_found: Mapped[bool | None]


class QAEvaluationIssue(Base, InWorkspace):
    """Something wrong with the answer (`grounding`) or with the verdict itself (other kinds)."""

    __tablename__ = "qa_evaluation_issues"
    __table_args__ = _BY_MONTH

    evaluation_id: Mapped[uuid.UUID] = mapped_column(
        ForeignKey("qa_evaluations.id", ondelete="CASCADE"), primary_key=True
    )
    position: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    kind: Mapped[str] = mapped_column(String(32))
    detail: Mapped[str] = mapped_column(Text)


class QAClaim(Base, InWorkspace):
    """A statement of the answer and whether the notes bear it out.

    The answer's characters `start_char` to `end_char` (Python's offsets, end excluded) say it;
    both are NULL when it could not be found there. `source` is judge or rules.
    """

    __tablename__ = "qa_claims"
    __table_args__ = (
        CheckConstraint("verdict IN ('supported', 'partly', 'unsupported')", name="verdict_known"),
        CheckConstraint("start_char >= 0 AND end_char > start_char", name="span"),
        _BY_MONTH,
    )

    evaluation_id: Mapped[uuid.UUID] = mapped_column(
        ForeignKey("qa_evaluations.id", ondelete="CASCADE"), primary_key=True
    )
    position: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    claim: Mapped[str] = mapped_column(Text)
    verdict: Mapped[str] = mapped_column(String(16))
    note_index: Mapped[int | None]
    quote: Mapped[str] = mapped_column(Text)
    quote_found: Mapped[bool | None]
    start_char: Mapped[int | None]
    end_char: Mapped[int | None]
    reasoning: Mapped[str] = mapped_column(Text)
    source: Mapped[str] = mapped_column(String(8))


class QAScore(InWorkspace, Base):
    """A named score. `source` is judge, rules or human; `details` is shaped by `name`."""

    __tablename__ = "qa_scores"
    __table_args__ = _BY_MONTH

    id: Mapped[uuid.UUID] = mapped_column(default=new_id)
    created_at: Mapped[dt.datetime] = mapped_column(server_default=func.now())
    evaluation_id: Mapped[uuid.UUID] = mapped_column(
        ForeignKey("qa_evaluations.id", ondelete="CASCADE"), primary_key=True
    )
    name: Mapped[str] = mapped_column(Text, primary_key=True)
    value: Mapped[float | None]
    label: Mapped[str | None] = mapped_column(Text)
    reasoning: Mapped[str | None] = mapped_column(Text)
    source: Mapped[str] = mapped_column(String(8))
    details: Mapped[list[dict[str, Any]] | None]
