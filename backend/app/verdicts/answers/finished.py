"""Finished answers: limits of those from elsewhere, answering from notes, and the notes shown."""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self

from pydantic import BaseModel

from app.ai_router.prompts.answers import Revision, search_qa_messages
from app.ai_router.types import ChatRequest, ChatResponse, ChatRouter, Grounding, Lang, Message
from app.platform.db.statements import storable
from app.platform.ids import new_id
from app.text.evidence import Evidence
from app.text.redaction import Redactor
from app.text.turns import Turn
from app.verdicts.answers.attributes import NO_ATTRIBUTES, Attributes


@dataclass(frozen=True, slots=True)
class AnswerSource:
    """A note as the model was given it. note_id is None for notes that another application sent;
    score is the retrieval score where there was a search."""

    title: str
    content: str
    note_id: uuid.UUID | None = None
    score: float | None = None

    def redacted(self, redactor: Redactor) -> Self:
        return replace(
            self, title=redactor.redact(self.title), content=redactor.redact(self.content)
        )


@dataclass(frozen=True, slots=True)
class FinishedAnswer:
    """`from_notes`: the answer was meant to come from notes, whether or not any were found. id is
    that of the row it becomes.

    notebook_id is the one notebook that was searched, None for all; events and evidence are those
    of the search; profile and slots describe the asker. search_ms: what the search took;
    first_chunk_ms, latency_ms: what the model took until its first words and its last. traceparent:
    of the request that brought the answer, as `app.platform.spans.parse_traceparent`
    returns it. history: the turns before, None for those of the session that it names;
    standalone_question: the question as it stands alone, itself where it does, None where nobody
    has tried.
    """

    workspace_id: uuid.UUID
    question: str
    answer: str
    lang: Lang
    feature: str
    origin: str
    from_notes: bool
    sources: Sequence[AnswerSource] = ()
    provider: str | None = None
    model: str | None = None
    notebook_id: uuid.UUID | None = None
    search_method: str | None = None
    events: Sequence[str] = ()
    evidence: Sequence[Evidence] = ()
    profile: str | None = None
    slots: Mapping[str, Any] | None = None
    search_ms: float | None = None
    first_chunk_ms: float | None = None
    latency_ms: float | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    idempotency_key: str | None = None
    request_hash: str | None = None
    traceparent: str | None = None
    attributes: Attributes = NO_ATTRIBUTES
    history: Sequence[Turn] | None = None
    standalone_question: str | None = None
    id: uuid.UUID = field(default_factory=new_id)

    def redacted(self, redactor: Redactor) -> Self:
        """With marks in the place of personal data, in all of its texts."""
        redact = redactor.redact
        return replace(
            self,
            question=redact(self.question),
            answer=redact(self.answer),
            sources=[source.redacted(redactor) for source in self.sources],
            events=[redact(event) for event in self.events],
            evidence=[one.redacted(redactor) for one in self.evidence],
            profile=redactor.optional(self.profile),
            slots=self.slots and redactor.values(self.slots),
            attributes=self.attributes.redacted(redactor),
            history=self.history and [turn.redacted(redactor) for turn in self.history],
            standalone_question=redactor.optional(self.standalone_question),
        )


MAX_QUESTION_CHARS = 4_000
MAX_NOTES = 200
MAX_TITLE_CHARS = 500
MAX_NOTE_CHARS = 50_000
# Of all notes of one answer together.
MAX_CONTEXT_CHARS = 200_000


class MatchedNote(BaseModel):
    """`note_index` 1 is `[노트 1]` in the answer."""

    note_index: int
    note_id: uuid.UUID | None
    title: str
    score: float | None


ANSWER_TEMPERATURE = 0.3
ANSWER_MAX_TOKENS = 1024

_ABOUT: Mapping[Lang, str] = {"ko": "질문한 사람", "en": "About the asker"}


@dataclass(frozen=True, slots=True)
class FromNotes:
    """A question and the notes for its answer. notes: (title, content) pairs; the first is
    [노트 1]. guidance: what the domain pack says of the situation, see
    `app.answering.context`. about: what is known of the person who asks. revises: the answer
    that is to be improved."""

    question: str
    notes: Sequence[tuple[str, str]]
    lang: Lang
    guidance: str = ""
    about: str | None = None
    revises: Revision | None = None

    @property
    def messages(self) -> list[Message]:
        asked = f"{self.question}\n\n{_ABOUT[self.lang]}: {self.about}" if self.about else None
        return search_qa_messages(
            asked or self.question, self.notes, self.lang, self.guidance, self.revises
        )

    @property
    def grounding(self) -> Grounding:
        return Grounding(
            question=self.question,
            note_titles=[title for title, _ in self.notes],
            note_contents=[content for _, content in self.notes],
            lang=self.lang,
        )


def answer_request(messages: Sequence[Message], grounding: Grounding) -> ChatRequest:
    return ChatRequest(messages, ANSWER_TEMPERATURE, ANSWER_MAX_TOKENS, grounding=grounding)


async def answer_from_notes(router: ChatRouter, asked: FromNotes) -> ChatResponse:
    """An answer that can be stored. Raises ProviderError."""
    return await answer(router, answer_request(asked.messages, asked.grounding))


async def answer(router: ChatRouter, request: ChatRequest) -> ChatResponse:
    """The same by messages of another feature."""
    response = await router.chat(request)
    return replace(response, content=storable(response.content))
