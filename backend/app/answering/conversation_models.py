"""Conversations and their answers."""

import datetime as dt
import uuid

from sqlalchemy import ForeignKey, ForeignKeyConstraint, Index, PrimaryKeyConstraint, Text, func
from sqlalchemy.orm import Mapped, mapped_column

from app.platform.db.base import Base, InWorkspace, OwnedByWorkspace

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

    answer_id: Mapped[uuid.UUID] = mapped_column(
        ForeignKey("qa_answers.id", ondelete="CASCADE"), primary_key=True
    )
    owner: Mapped[str] = mapped_column(Text)
    conversation_id: Mapped[uuid.UUID]
