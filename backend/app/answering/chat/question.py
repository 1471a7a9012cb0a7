"""What a reader asks for."""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from app.ai_router.types import Lang
from app.answering.chat.feature import Feature
from app.answering.conversations.service import ConversationKey


@dataclass(frozen=True, slots=True)
class Question:
    """context_notes are the caller's own notes; without them, and when the feature searches,
    the workspace's notes are searched (one notebook of them, or one note, where named).

    classification: `major_category` and `minor_category` of what the question is about, where
    another program has found them. profile and slots describe the asker. conversation: the
    one that the answer belongs to. traceparent: as FinishedAnswer has it.
    """

    workspace_id: uuid.UUID
    feature: Feature
    content: str
    lang: Lang
    search_mode: bool = False
    context_notes: Sequence[str] | None = None
    note_titles: Sequence[str] = ()
    notebook_id: uuid.UUID | None = None
    note_id: uuid.UUID | None = None
    classification: Mapping[str, str] | None = None
    profile: str | None = None
    slots: Mapping[str, Any] | None = None
    conversation: ConversationKey | None = None
    traceparent: str | None = None

    @property
    def from_notes(self) -> bool:
        return self.feature is Feature.SEARCH_QA or (
            self.feature is Feature.INSIGHT and self.search_mode
        )
