"""Which notes an answer is given."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy.ext.asyncio import AsyncSession

from app.answers.finished import AnswerSource
from app.chat.question import Question
from app.db.session import Sessions, in_workspace
from app.search.fulltext import FullTextSearchEngine
from app.search.service import get_note

TOP_NOTES = 5
CONTEXT_CHARS = 12_000


@dataclass(frozen=True, slots=True)
class Context:
    """`method` says where the notes came from: `client`, `note`, `fulltext`, or None."""

    sources: Sequence[AnswerSource] = ()
    method: str | None = None


async def resolve_context(sessions: Sessions, question: Question) -> Context:
    """The caller's notes as they are, else the named note, else the best of a search.

    Raises NotFound for a note of another workspace.
    """
    if not question.from_notes:
        return Context()
    if question.context_notes is not None:
        return Context(_client_sources(question), "client")
    async with in_workspace(sessions, question.workspace_id) as session:
        if question.note_id is not None:
            note = await get_note(session, question.workspace_id, question.note_id)
            content = note.content_text[:CONTEXT_CHARS]
            return Context([AnswerSource(note.title, content, note.id)], "note")
        sources = await _search_and_fetch_notes(
            session, question.workspace_id, question.content, question.notebook_id
        )
        return Context(sources, "fulltext")


def _client_sources(question: Question) -> list[AnswerSource]:
    label = "노트" if question.lang == "ko" else "Note"
    titles = dict(enumerate(question.note_titles, start=1))
    return [
        AnswerSource(titles.get(index) or f"{label} {index}", content)
        for index, content in enumerate(question.context_notes or (), start=1)
    ]


async def _search_and_fetch_notes(
    session: AsyncSession, workspace_id: uuid.UUID, query: str, notebook_id: uuid.UUID | None
) -> list[AnswerSource]:
    """The five best notes, 12,000 characters together; the last one is cut to fit."""
    hits = await FullTextSearchEngine().search(
        session, workspace_id, query, limit=TOP_NOTES, notebook_id=notebook_id
    )
    sources: list[AnswerSource] = []
    room = CONTEXT_CHARS
    for hit in hits:
        content = hit.content_text[:room]
        if not content.strip():
            break
        sources.append(AnswerSource(hit.title, content, hit.note_id, hit.score))
        room -= len(content)
    return sources
