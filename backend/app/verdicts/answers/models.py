"""Finished answers and the sources the model was given."""

import uuid
from typing import Any

from sqlalchemy import (
    ARRAY,
    CheckConstraint,
    Index,
    PrimaryKeyConstraint,
    String,
    Text,
    UniqueConstraint,
    text,
)
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from app.platform.db.base import Base, InWorkspace, KeyedInWorkspace, foreign_key


def _where_given(column: str, *more: str) -> Index:
    """Costs nothing for answers without it."""
    where = text(f"{column} IS NOT NULL")
    return Index(None, "workspace_id", column, *more, postgresql_where=where)


class QAAnswer(KeyedInWorkspace, Base):
    """What was asked and answered. `origin` is `chat`, `stream` or `external`."""

    __tablename__ = "qa_answers"
    __table_args__ = (
        UniqueConstraint("workspace_id", "idempotency_key"),
        # With the columns that figures are grouped by: they are read from the index alone.
        Index(
            None,
            "workspace_id",
            "created_at",
            postgresql_include=[
                *("id", "feature", "lang", "provider", "model", "search_method", "notebook_id")
            ],
        ),
        Index(None, "created_at"),
        _where_given("app_version", "created_at"),
        _where_given("user_ref"),
        _where_given("session_id", "id"),
        CheckConstraint(
            "traceparent LIKE '00-________________________________-________________-__'",
            name="traceparent_valid",
        ),
    )

    question: Mapped[str] = mapped_column(Text)
    answer: Mapped[str] = mapped_column(Text)
    lang: Mapped[str] = mapped_column(String(2))
    feature: Mapped[str] = mapped_column(String(32))
    origin: Mapped[str] = mapped_column(String(16))
    provider: Mapped[str | None] = mapped_column(Text)
    model: Mapped[str | None] = mapped_column(Text)
    notebook_id: Mapped[uuid.UUID | None] = foreign_key(
        "notebooks.id", ondelete="SET NULL", index=True
    )
    search_method: Mapped[str | None] = mapped_column(String(32))
    # Of the search: what was tried, and what was found in the notes.
    events: Mapped[list[str] | None] = mapped_column(JSONB)
    evidence: Mapped[list[dict[str, Any]] | None]
    # About the asker, as the application sent it.
    profile: Mapped[str | None] = mapped_column(Text)
    slots: Mapped[dict[str, Any] | None]
    # What the search for notes took, and the model until its first words (streams only) and until
    # its last.
    search_ms: Mapped[float | None]
    first_chunk_ms: Mapped[float | None]
    latency_ms: Mapped[float | None]
    prompt_tokens: Mapped[int | None]
    completion_tokens: Mapped[int | None]
    idempotency_key: Mapped[str | None] = mapped_column(Text)
    request_hash: Mapped[str | None] = mapped_column(String(64))
    # Of the request that brought the answer: W3C Trace Context, version 00.
    traceparent: Mapped[str | None] = mapped_column(Text)
    # See app.verdicts.answers.attributes.
    app_version: Mapped[str | None] = mapped_column(Text)
    environment: Mapped[str | None] = mapped_column(Text)
    user_ref: Mapped[str | None] = mapped_column(Text)
    session_id: Mapped[str | None] = mapped_column(Text)
    tags: Mapped[list[str] | None] = mapped_column(ARRAY(Text))
    attributes: Mapped[dict[str, Any] | None]
    # The turns before, as the judge sees them, and the question so that it stands without them.
    history: Mapped[list[dict[str, Any]] | None]
    standalone_question: Mapped[str | None] = mapped_column(Text)


class QAAnswerSource(Base, InWorkspace):
    """A note exactly as the model saw it. `note_index` 1 is `[노트 1]`."""

    __tablename__ = "qa_answer_sources"
    __table_args__ = (
        # Which notes answers were given is read from the index alone, however long the notes are.
        PrimaryKeyConstraint(
            "answer_id", "note_index", postgresql_include=["workspace_id", "note_id", "title"]
        ),
        {"postgresql_partition_by": "RANGE (answer_id)"},
    )

    answer_id: Mapped[uuid.UUID] = foreign_key("qa_answers.id")
    note_index: Mapped[int]
    note_id: Mapped[uuid.UUID | None] = foreign_key("notes.id", ondelete="SET NULL", index=True)
    title: Mapped[str] = mapped_column(Text)
    content: Mapped[str] = mapped_column(Text)
    score: Mapped[float | None]
