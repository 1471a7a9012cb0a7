"""The table of what people say of answers and claims."""

import datetime as dt
import uuid

from sqlalchemy import (
    CheckConstraint,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    String,
    Text,
    UniqueConstraint,
    func,
    text,
)
from sqlalchemy.orm import Mapped, mapped_column

from app.db.base import Base, InWorkspace, Keyed

MAX_COMMENT_CHARS = 4_000
MAX_AUTHOR_CHARS = 200


class QAFeedback(Keyed, InWorkspace, Base):
    """What one author says of an answer, or of one claim of its evaluation.

    `claim_position` is NULL for the answer as a whole; only that can be more or less useful, and
    `evaluation_id` is then the one that was looked at. An author has one row for each answer and
    each claim: saying it again replaces it.
    """

    __tablename__ = "qa_feedback"
    __table_args__ = (
        UniqueConstraint("evaluation_id", "author", "claim_position"),
        # The claim is there, or the row is not.
        ForeignKeyConstraint(
            ["evaluation_id", "claim_position"],
            ["qa_claims.evaluation_id", "qa_claims.position"],
            ondelete="CASCADE",
        ),
        Index(
            "uq_qa_feedback_whole_answer",
            *("answer_id", "author"),
            unique=True,
            postgresql_where=text("claim_position IS NULL"),
        ),
        Index(None, "answer_id"),
        Index(None, "workspace_id", "id"),
        CheckConstraint("label IN ('right', 'partly', 'wrong')", name="label_known"),
        CheckConstraint("utility_label IN ('useful', 'partly', 'useless')", name="utility_known"),
        CheckConstraint(
            "utility_label IS NULL OR claim_position IS NULL", name="utility_of_whole_answer"
        ),
        CheckConstraint(f"char_length(comment) <= {MAX_COMMENT_CHARS}", name="comment_length"),
        CheckConstraint(
            f"char_length(author) BETWEEN 1 AND {MAX_AUTHOR_CHARS}", name="author_length"
        ),
    )

    evaluation_id: Mapped[uuid.UUID] = mapped_column(
        ForeignKey("qa_evaluations.id", ondelete="CASCADE")
    )
    answer_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("qa_answers.id", ondelete="CASCADE"))
    claim_position: Mapped[int | None]
    label: Mapped[str] = mapped_column(String(8))
    utility_label: Mapped[str | None] = mapped_column(String(8))
    comment: Mapped[str | None] = mapped_column(Text)
    author: Mapped[str] = mapped_column(Text)
    updated_at: Mapped[dt.datetime] = mapped_column(server_default=func.now())
