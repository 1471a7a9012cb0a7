"""Bodies of requests and responses. Reading and creating have schemas of their own."""

import datetime as dt
import uuid
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

from app.ai_router.types import Lang
from app.answering.profile import Feature, Slots
from app.judges.answer_parts import MAX_ANSWER_CHARS
from app.notes.service import MAX_NAME_CHARS
from app.platform.db.owned_queries import Listed, Page
from app.text.turns import Turn, recent_turns
from app.verdicts.answers.attributes import AttributesCreate
from app.verdicts.answers.finished import (
    MAX_CONTEXT_CHARS,
    MAX_NOTE_CHARS,
    MAX_NOTES,
    MAX_QUESTION_CHARS,
    MAX_TITLE_CHARS,
    MatchedNote,
)
from app.verdicts.status import Status

# NUL is the one character that PostgreSQL's text cannot hold.
NO_NUL = r"^[^\x00]*$"
NOT_BLANK = r"^[^\x00]*[^\s\x00][^\x00]*$"
NonEmpty = StringConstraints(strip_whitespace=True, min_length=1, pattern=NOT_BLANK)
QuestionText = Annotated[str, NonEmpty, Field(max_length=MAX_QUESTION_CHARS)]
AnswerText = Annotated[str, StringConstraints(pattern=NO_NUL), Field(max_length=MAX_ANSWER_CHARS)]
NoteText = Annotated[str, StringConstraints(pattern=NO_NUL), Field(max_length=MAX_NOTE_CHARS)]
# A blank note would shift the numbers of the marks.
ContextNote = Annotated[
    str, StringConstraints(min_length=1, pattern=NOT_BLANK), Field(max_length=MAX_NOTE_CHARS)
]
Title = Annotated[str, StringConstraints(pattern=NO_NUL), Field(max_length=MAX_TITLE_CHARS)]


class StrictBody(BaseModel):
    """A body whose unknown fields are a mistake."""

    model_config = ConfigDict(extra="forbid")


Profile = Annotated[str, NonEmpty, Field(max_length=1_000)]


class Classification(StrictBody):
    """What the question is about, as another program has found it (from a picture, say)."""

    major_category: Annotated[str, NonEmpty, Field(max_length=200)]
    minor_category: Annotated[str, NonEmpty, Field(max_length=200)] | None = None


# Older turns than the last ones are not read; a longer dialogue is a mistake.
MAX_GIVEN_TURNS = 1_000


class TurnCreate(StrictBody):
    """A question that was asked earlier in the dialogue, and what it was answered; either may be
    blank."""

    question: Annotated[
        str, StringConstraints(pattern=NO_NUL), Field(max_length=MAX_QUESTION_CHARS)
    ]
    answer: AnswerText


class HistoryCreate(StrictBody):
    """history: the turns before, the oldest first, of which the last 10 count; an empty list for
    none. Left out, they are those of `conversation_id`, else of the answers with its
    `session_id`."""

    history: Annotated[list[TurnCreate], Field(max_length=MAX_GIVEN_TURNS)] | None = None
    conversation_id: uuid.UUID | None = None

    @model_validator(mode="after")
    def _one_history(self) -> Self:
        if self.history is not None and self.conversation_id is not None:
            raise ValueError("send history or conversation_id, not both")
        return self

    def turns(self) -> tuple[Turn, ...] | None:
        if self.history is None:
            return None
        return recent_turns([Turn(one.question, one.answer) for one in self.history])


class ChatOptions(AttributesCreate, HistoryCreate):
    """mode `search` lets insight answer from notes. context_notes replace the search;
    note_titles name them in the same order. classification leads the search; profile and slots
    tell about the asker and lead the improvement of an answer. conversation_id: a UUID that the
    client chose; the answer is added to that conversation of the asker, which begins with its
    first answer."""

    mode: Literal["search"] | None = None
    context_notes: Annotated[list[ContextNote], Field(max_length=MAX_NOTES)] | None = None
    note_titles: Annotated[list[Title], Field(max_length=MAX_NOTES)] = []
    notebook_id: uuid.UUID | None = None
    note_id: uuid.UUID | None = None
    classification: Classification | None = None
    profile: Profile | None = None
    slots: Slots | None = None

    @model_validator(mode="after")
    def _fits(self) -> Self:
        notes = self.context_notes or []
        total = sum(map(len, notes))
        if total > MAX_CONTEXT_CHARS:
            raise ValueError(
                f"context_notes hold {total} characters together; send at most {MAX_CONTEXT_CHARS}"
            )
        if len(self.note_titles) > len(notes):
            raise ValueError("note_titles has more entries than context_notes")
        return self


class AIChatRequest(StrictBody):
    """lang is found from the question when it is left out."""

    feature: Feature = Feature.SEARCH_QA
    content: QuestionText
    lang: Lang | None = None
    options: ChatOptions = ChatOptions()


class QualityRead(BaseModel):
    """Where the verdict of an answer stands. evaluation_id is null and status is `not_stored`
    when the database did not take the answer: then there will be no verdict."""

    answer_id: uuid.UUID | None
    evaluation_id: uuid.UUID | None
    status: Status | Literal["not_stored"]
    reason: str | None


class AIChatResponse(BaseModel):
    """standalone_question: what a question that needs the turns before it was understood as; null
    where it stands alone."""

    content: str
    standalone_question: str | None
    provider: str
    model: str
    lang: Lang
    matched_notes: list[MatchedNote]
    quality: QualityRead


class SourceCreate(StrictBody):
    title: Title = ""
    content: NoteText


class EvaluationCreate(AttributesCreate, HistoryCreate):
    """An answer that another application gave, with the notes it was given. profile and slots
    tell about the asker. conversation_id: one of yours, whose turns come before."""

    question: QuestionText
    answer: AnswerText
    sources: Annotated[list[SourceCreate], Field(max_length=MAX_NOTES)] = []
    lang: Lang | None = None
    feature: Feature = Feature.SEARCH_QA
    model: Annotated[str, StringConstraints(pattern=NO_NUL), Field(max_length=200)] | None = None
    profile: Profile | None = None
    slots: Slots | None = None


class EvaluationCreated(BaseModel):
    id: uuid.UUID
    answer_id: uuid.UUID
    status: Status
    reason: str | None


class NotebookCreate(StrictBody):
    name: Annotated[str, NonEmpty, Field(max_length=MAX_NAME_CHARS)]


class NotebookRead(BaseModel):
    id: uuid.UUID
    name: str
    notes: int
    created_at: dt.datetime


class NoteSummary(Listed):
    notebook_id: uuid.UUID
    title: str
    lang: str
    tags: list[str]
    category: str | None
    subcategory: str | None
    updated_at: dt.datetime


class NoteRead(NoteSummary):
    content: str = Field(validation_alias="content_text")


class NoteCreate(StrictBody):
    """`source_key` is the note's name where it comes from: sending it again updates the note."""

    title: Annotated[str, NonEmpty, Field(max_length=MAX_NAME_CHARS)]
    content: Annotated[str, StringConstraints(pattern=NO_NUL), Field(max_length=1_000_000)]
    source_key: Annotated[str, NonEmpty, Field(max_length=1000)] | None = None
    tags: Annotated[list[Annotated[str, Field(max_length=100)]], Field(max_length=50)] = []
    category: Annotated[str, Field(max_length=200)] | None = None
    subcategory: Annotated[str, Field(max_length=200)] | None = None


class NotesImport(StrictBody):
    notebook: Annotated[str, NonEmpty, Field(max_length=MAX_NAME_CHARS)]
    notes: Annotated[list[NoteCreate], Field(min_length=1, max_length=1000)]


class NotePage(Page[NoteSummary, uuid.UUID]):
    """`next` continues the list; it is null on the last page."""


class ImportRead(BaseModel):
    """How many notes were new, changed, and already stored as they are."""

    created: int
    updated: int
    unchanged: int


class JudgeLimitRead(BaseModel):
    """What a judge's server allows all workers together: the lower of what is set and what its
    replies state, None where it allows any number. allowance: the share of it that is used at
    present, 0.05 to 1, less after refusals; None while Redis is away. held_until: until then
    nothing is asked. in_flight: calls, where they are limited. workers: that have asked in the
    last minute. waiting: verdicts and calls of jobs that wait in them until the limits allow
    them."""

    judge_model: str
    requests_per_minute: int | None
    tokens_per_minute: int | None
    max_in_flight: int | None
    configured: bool
    allowance: float | None
    held_until: dt.datetime | None
    in_flight: int | None
    workers: int | None
    waiting: int | None


class JudgePauseRead(BaseModel):
    """`code` names the cause for programs, `reason` says it to people, in their language."""

    judge_model: str
    # failing: the circuit breaker is open, and closes by itself.
    kind: Literal["configuration", "failing"]
    code: str
    reason: str
    paused_at: dt.datetime
    probe_at: dt.datetime
