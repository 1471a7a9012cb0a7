"""A question, and the notes that its answer is given."""

import json
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

from app.ai_router.prompts.quoting import one_line
from app.ai_router.types import Lang
from app.answering.conversations import ConversationKey
from app.answering.profile import Feature
from app.notes.evidence_search import EvidenceSearch, SearchRAGInput
from app.notes.models import Note
from app.notes.service import get_note, get_notebook
from app.notes.vectors import VectorSearch
from app.platform.db.session import Sessions, in_workspace
from app.platform.processes.pool import QUICK_LIMITS, quick_lane
from app.text.evidence import Evidence, evidence_of_notes
from app.text.language import note_mark
from app.text.morphemes import morphemes
from app.text.packs.loader import get_instruction_for_tag
from app.text.packs.models import DomainPack
from app.text.passages import telling_quote
from app.text.redaction import Redactor
from app.text.turns import Turn
from app.verdicts.answers.attributes import NO_ATTRIBUTES, Attributes
from app.verdicts.answers.finished import AnswerSource


@dataclass(frozen=True, slots=True)
class Question:
    """context_notes are the caller's own notes; without them, and when the feature searches,
    the workspace's notes are searched (one notebook of them, or one note, where named).

    classification: `major_category` and `minor_category` of what the question is about, where
    another program has found them. profile and slots describe the asker. conversation: the
    one that the answer belongs to. history: the turns before, None for those of the conversation,
    else of the session; standalone: content so that it can be understood without them, None where
    it can. traceparent, attributes: as FinishedAnswer has them.
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
    history: Sequence[Turn] | None = None
    standalone: str | None = None
    traceparent: str | None = None
    attributes: Attributes = NO_ATTRIBUTES

    @property
    def understood(self) -> str:
        """What is asked, without the turns before."""
        return self.standalone or self.content

    @property
    def from_notes(self) -> bool:
        return self.feature is Feature.SEARCH_QA or (
            self.feature is Feature.INSIGHT and self.search_mode
        )


TOP_NOTES = 5
CONTEXT_CHARS = 12_000
# The best note stands among the notes as a whole; as the rules of the domain its beginning does.
RULES_CHARS = 2_000


@dataclass(frozen=True, slots=True)
class Context:
    """`method` says where the notes came from: `client`, `note`, `classification`,
    `contextual`, `keyword`, `none` where a search found nothing, or None without a search.

    events: what the search tried. guidance: the best note as the rules of the domain, which
    passages matter, and what the domain pack says of the situation; empty without a domain.
    """

    sources: Sequence[AnswerSource] = ()
    method: str | None = None
    events: Sequence[str] = ()
    evidence: Sequence[Evidence] = ()
    guidance: str = ""

    def redacted(self, redactor: Redactor) -> Self:
        return replace(
            self,
            sources=[source.redacted(redactor) for source in self.sources],
            evidence=[one.redacted(redactor) for one in self.evidence],
            guidance=redactor.redact(self.guidance),
        )


async def resolve_context(
    sessions: Sessions, pack: DomainPack, question: Question, vectors: VectorSearch | None = None
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
        return Context(sources, "client", evidence=await _quoted(sources, question.understood))
    if question.note_id is not None:
        async with in_workspace(sessions, question.workspace_id) as session:
            note = await get_note(session, question.workspace_id, question.note_id)
        return await _one_note(note, question.understood)
    return await search_notes(
        sessions,
        pack,
        question.workspace_id,
        question.understood,
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


async def _quoted(sources: Sequence[AnswerSource], question: str) -> Sequence[Evidence]:
    """Evidence of notes that were not searched, each with the sentence that answers."""
    terms = await quick_lane().run(QUICK_LIMITS, morphemes, question)
    contents = [source.content for source in sources]
    return evidence_of_notes(contents, lambda text: telling_quote(text, terms, question))


async def _one_note(note: Note, question: str) -> Context:
    source = AnswerSource(note.title, note.content_text[:CONTEXT_CHARS], note.id)
    evidence = [
        each._replace(chunk_id=str(note.id), relevance="high", method="note")
        for each in await _quoted([source], question)
    ]
    return Context([source], "note", evidence=evidence)


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
    output = await EvidenceSearch(sessions, pack, vectors).search(given)
    sources: list[AnswerSource] = []
    evidence: list[Evidence] = []
    rules: dict[str, str | None] = {}
    room = CONTEXT_CHARS
    for hit, found in zip(output.notes, output.evidence, strict=True):
        content = hit.content_text[:room]
        # A note of a title alone says nothing, and must not keep the next one out.
        if content.strip():
            rules = rules or {
                "key": hit.title,
                "category": hit.category,
                "data": content[:RULES_CHARS],
            }
            sources.append(AnswerSource(hit.title, content, hit.note_id, hit.score))
            evidence.append(found._replace(note_index=len(sources)))
            room -= len(content)
    guidance = build_answer_context(rules, evidence, pack, lang) if pack.has_domain else ""
    return Context(sources, output.search_method, output.events, evidence, guidance)


_SOURCES: Mapping[Lang, str] = {"ko": "참조 출처", "en": "Sources"}
_RELEVANCE: Mapping[Lang, str] = {"ko": "신뢰도", "en": "relevance"}
_TIPS: Mapping[Lang, str] = {"ko": "상황별 팁", "en": "In this situation"}


def build_answer_context(
    disposal_rules: Mapping[str, Any] | None,
    evidence: Sequence[Evidence],
    pack: DomainPack,
    lang: Lang = "ko",
) -> str:
    """The best note, the passages with their relevance, and the pack's instruction for each tag
    that matched; parts that are empty are left out. Without any it is empty."""
    parts = []
    if disposal_rules:
        data = json.dumps(disposal_rules, ensure_ascii=False)
        parts.append(f"## {pack.title.in_lang(lang)}\n{data}")
    # A passage of more lines could write headings and questions of its own between the notes.
    cited = [
        f"- {_mark(each, lang)} ({_RELEVANCE[lang]}: {each.relevance}):"
        f" {one_line(each.quoted_text)}"
        for each in evidence
        if each.quoted_text.strip()
    ]
    if cited:
        parts.append(f"## {_SOURCES[lang]}\n" + "\n".join(cited))
    if tips := _tips_for(evidence, pack, lang):
        parts.append(f"## {_TIPS[lang]}\n" + "\n".join(tips))
    return "\n\n".join(parts)


def _mark(evidence: Evidence, lang: Lang) -> str:
    """What the answer is to write when it uses the passage."""
    if evidence.note_index:
        return note_mark(evidence.note_index, lang)
    return f"[{evidence.chunk_id}]"


def _tips_for(evidence: Sequence[Evidence], pack: DomainPack, lang: Lang = "ko") -> list[str]:
    """`- tag: instruction` for each matched tag that has one, in the order of the evidence."""
    tags = dict.fromkeys(tag for each in evidence for tag in each.matched_tags)
    instructions = {tag: get_instruction_for_tag(pack, tag, lang) for tag in tags}
    return [f"- {tag}: {instruction}" for tag, instruction in instructions.items() if instruction]
