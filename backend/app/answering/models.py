"""Tables of conversations, and of the loop that improves an answer."""

import datetime as dt
import uuid
from decimal import Decimal
from typing import Any

from sqlalchemy import (
    CheckConstraint,
    ForeignKeyConstraint,
    Index,
    Numeric,
    PrimaryKeyConstraint,
    String,
    Text,
    func,
    text,
    true,
)
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from app.platform.db.base import Base, InWorkspace, OwnedByWorkspace, foreign_key

MAX_TITLE_CHARS = 200

_KEY = ("workspace_id", "owner", "id")


class Conversation(OwnedByWorkspace, Base):
    """owner: the name of the token or the browser session that asks. id: chosen by the client and
    unique for its owner, so that a foreign id is like one that was never used. title: as the owner
    has named it; without, the first question is the title."""

    __tablename__ = "conversations"
    __table_args__ = (
        PrimaryKeyConstraint(*_KEY),
        Index(None, "workspace_id", "owner", "last_asked_at", "id"),
    )

    id: Mapped[uuid.UUID]
    owner: Mapped[str] = mapped_column(Text)
    title: Mapped[str | None] = mapped_column(Text)
    created_at: Mapped[dt.datetime] = mapped_column(server_default=func.now())
    last_asked_at: Mapped[dt.datetime] = mapped_column(server_default=func.now())


class ConversationAnswer(InWorkspace, Base):
    """An answer of a conversation. With the last of them goes the conversation, by a trigger."""

    __tablename__ = "conversation_answers"
    __table_args__ = (
        ForeignKeyConstraint(
            ["workspace_id", "owner", "conversation_id"],
            [f"conversations.{column}" for column in _KEY],
            name="fk_conversation_answers_conversation",
            ondelete="CASCADE",
        ),
        Index(
            "ix_conversation_answers_conversation",
            *("workspace_id", "owner", "conversation_id", "answer_id"),
        ),
    )

    answer_id: Mapped[uuid.UUID] = foreign_key("qa_answers.id", primary_key=True)
    owner: Mapped[str] = mapped_column(Text)
    conversation_id: Mapped[uuid.UUID]


class Refinement(Base, InWorkspace):
    """One attempt to improve an answer. Its id is that of the job that does the work, where its
    status stands. `lift` is by how much (of 0 to 1) the best iteration is better than the first
    answer by the scores of the loop, correctness_lift and utility_lift by the verdicts of the judge
    of the first answer; NULL while unknown. For relevance and the figures after it see
    RetrievalGain."""

    __tablename__ = "refinements"

    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    evaluation_id: Mapped[uuid.UUID] = foreign_key("qa_evaluations.id", index=True)
    threshold: Mapped[float]
    max_iterations: Mapped[int]
    automatic: Mapped[bool]
    stop_reason: Mapped[str | None] = mapped_column(String(32))
    best_iteration: Mapped[int | None]
    lift: Mapped[float | None]
    correctness_lift: Mapped[float | None]
    utility_lift: Mapped[float | None]
    relevance: Mapped[str | None] = mapped_column(Text)
    targeted_retrieval: Mapped[float | None]
    first_precision: Mapped[float | None]
    first_recall: Mapped[float | None]
    last_precision: Mapped[float | None]
    last_recall: Mapped[float | None]
    created_at: Mapped[dt.datetime] = mapped_column(server_default=func.now())
    finished_at: Mapped[dt.datetime | None]


class RefinementIteration(Base, InWorkspace):
    """One round: the query, the notes it found, the answer from them and its scores (0 to 1).
    Round 0 is the first answer. Columns are filled one after the other, each as soon as it is
    known; `heuristic` says that no model judged, `searched` is false where the answer was
    rewritten from the notes of the round before. judged_by and the columns after it are of the
    verdict by the judge of the first answer; calls: those to models."""

    __tablename__ = "refinement_iterations"
    __table_args__ = (
        CheckConstraint("overall_score >= 0 AND overall_score <= 1", name="overall_unit_interval"),
    )

    refinement_id: Mapped[uuid.UUID] = foreign_key("refinements.id", primary_key=True)
    position: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    query: Mapped[str] = mapped_column(Text)
    rewritten_by: Mapped[str | None] = mapped_column(String(16))
    documents: Mapped[list[dict[str, Any]] | None]
    answer: Mapped[str | None] = mapped_column(Text)
    grounding: Mapped[float | None]
    completeness: Mapped[float | None]
    accuracy: Mapped[float | None]
    overall_score: Mapped[float | None]
    missing_info: Mapped[list[str] | None] = mapped_column(JSONB)
    improvement_suggestions: Mapped[list[str] | None] = mapped_column(JSONB)
    needs_retrieval: Mapped[bool | None]
    reason: Mapped[str | None] = mapped_column(Text)
    heuristic: Mapped[bool | None]
    searched: Mapped[bool] = mapped_column(server_default=true())
    judged_by: Mapped[str | None] = mapped_column(Text)
    correctness: Mapped[float | None]
    utility: Mapped[float | None]
    confidence: Mapped[str | None] = mapped_column(String(16))
    verdict_overall: Mapped[float | None]
    verdict_error: Mapped[str | None] = mapped_column(Text)
    calls: Mapped[int] = mapped_column(server_default=text("0"))
    prompt_tokens: Mapped[int | None]
    completion_tokens: Mapped[int | None]
    cost_usd: Mapped[Decimal | None] = mapped_column(Numeric(12, 8))
