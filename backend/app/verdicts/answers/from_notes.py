"""Answering a question from notes: one way for readers, refined answers and runs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from app.ai_router.prompts import search_qa
from app.ai_router.prompts.search_qa import Revision
from app.ai_router.types import ChatRequest, ChatResponse, ChatRouter, Grounding, Lang, Message
from app.platform.db.statements import storable

ANSWER_TEMPERATURE = 0.3
ANSWER_MAX_TOKENS = 1024

_ABOUT: Mapping[Lang, str] = {"ko": "질문한 사람", "en": "About the asker"}


@dataclass(frozen=True, slots=True)
class FromNotes:
    """A question and the notes for its answer. notes: (title, content) pairs; the first is
    [노트 1]. guidance: what the domain pack says of the situation, see
    `app.answering.chat.context`. about: what is known of the person who asks. revises: the answer
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
        return search_qa.build_messages(
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
