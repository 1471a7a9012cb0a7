"""Which notes an answer is given."""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from app.ai_router.types import Lang
from app.answers.finished import AnswerSource
from app.chat.question import Question
from app.db.session import Sessions, in_workspace
from app.packs.models import DomainPack
from app.search.answer_context import build_answer_context, tips_for
from app.search.evidence import Evidence, evidence_of_notes, quote_of
from app.search.evidence_search import EvidenceSearch, SearchRAGInput
from app.search.models import Note
from app.search.service import get_note, get_notebook
from app.search.vectors import VectorSearch

TOP_NOTES = 5
CONTEXT_CHARS = 12_000


@dataclass(frozen=True, slots=True)
class Context:
    """`method` says where the notes came from: `client`, `note`, `classification`,
    `contextual`, `keyword`, `none` where a search found nothing, or None without a search.

    events: what the search tried. guidance: which passages matter and what the domain pack says
    of the situation, empty where it says nothing.
    """

    sources: Sequence[AnswerSource] = ()
    method: str | None = None
    events: Sequence[str] = ()
    evidence: Sequence[Evidence] = ()
    guidance: str = ""


async def resolve_context(
    sessions: Sessions,
    pack: DomainPack,
    question: Question,
    vectors: VectorSearch | None = None,
) -> Context:
    """The caller's notes as they are, else the named note, else the best of a search.

    Raises NotFound for a note or a notebook that the workspace does not have.
    """
    if question.notebook_id is not None:
        async with in_workspace(sessions, question.workspace_id) as session:
            await get_notebook(session, question.workspace_id, question.notebook_id)
    if not question.from_notes:
        return Context()
    if question.context_notes is not None:
        sources = _client_sources(question)
        evidence = evidence_of_notes(source.content for source in sources)
        return Context(sources, "client", evidence=evidence)
    if question.note_id is not None:
        async with in_workspace(sessions, question.workspace_id) as session:
            return _one_note(await get_note(session, question.workspace_id, question.note_id))
    return await search_notes(
        sessions,
        pack,
        question.workspace_id,
        question.content,
        notebook_id=question.notebook_id,
        classification=question.classification,
        lang=question.lang,
        vectors=vectors,
    )


def _client_sources(question: Question) -> list[AnswerSource]:
    label = "노트" if question.lang == "ko" else "Note"
    titles = dict(enumerate(question.note_titles, start=1))
    return [
        AnswerSource(titles.get(index) or f"{label} {index}", content)
        for index, content in enumerate(question.context_notes or (), start=1)
    ]


def _one_note(note: Note) -> Context:
    content = note.content_text[:CONTEXT_CHARS]
    evidence = Evidence(str(note.id), "high", quote_of(content), note_index=1)
    return Context([AnswerSource(note.title, content, note.id)], "note", evidence=[evidence])


async def search_notes(
    sessions: Sessions,
    pack: DomainPack,
    workspace_id: uuid.UUID,
    query: str,
    *,
    notebook_id: uuid.UUID | None = None,
    classification: Mapping[str, str] | None = None,
    lang: Lang = "ko",
    vectors: VectorSearch | None = None,
    limit: int = TOP_NOTES,
) -> Context:
    """The `limit` best notes, 12,000 characters together; the last one is cut to fit."""
    given = SearchRAGInput(query, workspace_id, notebook_id, classification, limit)
    async with in_workspace(sessions, workspace_id) as session:
        output = await EvidenceSearch(pack, vectors).search(session, given)
    sources: list[AnswerSource] = []
    evidence: list[Evidence] = []
    room = CONTEXT_CHARS
    for hit, found in zip(output.notes, output.evidence, strict=True):
        content = hit.content_text[:room]
        # A note of a title alone says nothing, and must not keep the next one out.
        if content.strip():
            sources.append(AnswerSource(hit.title, content, hit.note_id, hit.score))
            evidence.append(replace(found, note_index=len(sources)))
            room -= len(content)
    says_something = bool(tips_for(evidence, pack, lang))
    guidance = build_answer_context(None, evidence, pack, lang) if says_something else ""
    return Context(sources, output.search_method, output.events, evidence, guidance)
