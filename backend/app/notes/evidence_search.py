"""Finds the notes that answer a question: by category, else by context, else by single words."""

import asyncio
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from sqlalchemy.ext.asyncio import AsyncSession

from app.notes import fulltext, queries
from app.notes.candidates import find_candidates
from app.notes.hits import SearchHit, fused
from app.notes.keys import Place
from app.notes.vectors import VectorSearch
from app.platform.db.session import Sessions, in_workspace
from app.platform.processes.pool import QUICK_LIMITS, quick_lane
from app.text.evidence import KEYWORD_SUCCESS, Evidence, Relevance
from app.text.language import folded
from app.text.morphemes import morphemes
from app.text.packs.models import DomainPack, category_of, tags_of
from app.text.passages import coverage, held, stem, telling_quote

SearchMethod = Literal["classification", "contextual", "keyword", "none"]
EvidenceMethod = Literal["classification", "contextual", "keyword"]

# A passage is relevant by the share of the question's words that it holds.
HIGH_COVERAGE = 0.6
MEDIUM_COVERAGE = 0.3
MAX_KEYWORDS = 10
_STEP_UP: Mapping[Relevance, Relevance] = {"low": "medium", "medium": "high", "high": "high"}


@dataclass(frozen=True, slots=True)
class SearchRAGInput:
    """A question to find notes for. classification_result: `major_category` and, where known,
    `minor_category`; without one the pack's keywords classify the message."""

    message: str
    workspace_id: uuid.UUID
    notebook_id: uuid.UUID | None = None
    classification_result: Mapping[str, str] | None = None
    limit: int = 5


@dataclass(frozen=True, slots=True)
class SearchRAGOutput:
    """What was found, best first, and how.

    disposal_rules: the best note as key, category and data; it has its name from the first
    domain this was made for. events: what was tried, in order. Evidence i is of note i and has
    i + 1 as its note_index.
    """

    found: bool
    search_method: SearchMethod
    disposal_rules: Mapping[str, Any] | None = None
    matched_keyword: str | None = None
    events: Sequence[str] = ()
    evidence: Sequence[Evidence] = ()
    notes: Sequence[SearchHit] = ()


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question with what is read out of it, and the events of its search."""

    given: SearchRAGInput
    terms: Sequence[str]
    tags: Sequence[str]
    events: list[str] = field(default_factory=list)

    @property
    def place(self) -> Place:
        return Place(self.given.workspace_id, self.given.notebook_id)


class EvidenceSearch:
    """Three strategies in order; the first that finds anything ends the search.

    vectors: with it, the second strategy also finds notes that mean the same in other words, in a
    session of its own beside that of the words.
    """

    def __init__(
        self, sessions: Sessions, pack: DomainPack, vectors: VectorSearch | None = None
    ) -> None:
        self._sessions = sessions
        self._pack = pack
        self._vectors = vectors

    async def search(self, given: SearchRAGInput) -> SearchRAGOutput:
        """`found` is False, and the method `none`, when no strategy finds a note."""
        terms = await quick_lane().run(QUICK_LIMITS, morphemes, given.message)
        asked = _Asked(given, terms, list(tags_of(self._pack, given.message)))
        if hits := await self._by_classification(asked):
            asked.events.append("contextual_search_skipped")
            return self._output(asked, "classification", hits, lambda _: "high")
        if hits := await self._by_context(asked):
            return self._output(asked, "contextual", hits, lambda text: _relevance(text, terms))
        keyword, hits = await self._by_keyword(asked)
        if keyword:
            asked.events.append(f"{KEYWORD_SUCCESS}{keyword}")
            return self._output(asked, "keyword", hits, lambda _: "low", keyword)
        asked.events.append("all_search_strategies_failed")
        return SearchRAGOutput(found=False, search_method="none", events=asked.events)

    async def _by_classification(self, asked: _Asked) -> Sequence[SearchHit]:
        classification = asked.given.classification_result or category_of(
            self._pack, asked.given.message
        )
        if classification is None:
            asked.events.append("classification_search_skipped")
            return []
        asked.events.append("classification_search_started")
        category = queries.Category(
            classification["major_category"], classification.get("minor_category")
        )
        async with self._session(asked) as session:
            hits = await self._of_category(session, asked, category)
        found = "success" if hits else "no_result"
        asked.events.append(f"classification_search_{found}")
        return hits

    async def _of_category(
        self, session: AsyncSession, asked: _Asked, category: queries.Category
    ) -> Sequence[SearchHit]:
        limit, among = asked.given.limit, None
        if await queries.is_large(session, asked.place, category):
            terms = sorted(set(asked.terms))
            candidates = await find_candidates(session, asked.place, terms, limit)
            if candidates is None:
                return []
            among = candidates.query
        words = [stem(term) for term in asked.terms]
        return await queries.notes_of_category(
            session, asked.place, category, words, limit, among=among
        )

    async def _by_context(self, asked: _Asked) -> Sequence[SearchHit]:
        asked.events.append("contextual_search_started")
        by_words, by_meaning = await asyncio.gather(self._by_words(asked), self._by_meaning(asked))
        hits = fused(by_words, by_meaning)[: asked.given.limit]
        found = "success" if hits else "no_result"
        asked.events.append(f"contextual_search_{found}")
        return hits

    async def _by_words(self, asked: _Asked) -> Sequence[SearchHit]:
        # What is not among the best of one ranking may be of the fused ones.
        deeper = 4 if self._vectors else 1
        limit = deeper * asked.given.limit
        async with self._session(asked) as session:
            return await fulltext.search(session, asked.place, asked.given.message, limit)

    async def _by_meaning(self, asked: _Asked) -> Sequence[SearchHit]:
        if self._vectors is None:
            return []
        hits = await self._vectors.search(
            self._sessions, asked.place, asked.given.message, limit=4 * asked.given.limit
        )
        if hits is None:
            asked.events.append("vector_search_unavailable")
            return []
        asked.events.append(f"vector_search_{'success' if hits else 'no_result'}")
        return hits

    async def _by_keyword(self, asked: _Asked) -> tuple[str | None, Sequence[SearchHit]]:
        """The first word that notes have, and those notes."""
        async with self._session(asked) as session:
            for word in self._keywords(asked):
                if hits := await queries.notes_with_word(
                    session, asked.place, word, asked.given.limit
                ):
                    return word, hits
        return None, []

    def _session(self, asked: _Asked) -> AsyncSession:
        return in_workspace(self._sessions, asked.given.workspace_id)

    def _output(
        self,
        asked: _Asked,
        method: EvidenceMethod,
        hits: Sequence[SearchHit],
        relevance: Callable[[str], Relevance],
        keyword: str | None = None,
    ) -> SearchRAGOutput:
        evidence = []
        for index, hit in enumerate(hits, start=1):
            tags = tuple(self._tags_of(hit, asked))
            level = relevance(hit.chunk)
            quote = telling_quote(hit.chunk, asked.terms, asked.given.message)
            if tags and method == "contextual":
                level = self._raised(level, quote, asked)
            evidence.append(Evidence(hit.chunk_id, level, quote, tags, method, index))
        best = hits[0]
        return SearchRAGOutput(
            found=True,
            search_method=method,
            disposal_rules={
                "key": best.title,
                "category": best.category,
                "data": best.content_text,
            },
            matched_keyword=keyword,
            events=asked.events,
            evidence=evidence,
            notes=hits,
        )

    def _raised(self, level: Relevance, quote: str, asked: _Asked) -> Relevance:
        """The relevance of a passage on the question's situation: one step higher, if the quote is
        about the question's subject too. The situation alone is that of many things."""
        situations = [folded(word) for tag in self._pack.tags for word in tag.keywords]
        subject = {
            term
            for term in asked.terms
            if not term.endswith("다") and not any(term in word for word in situations)
        }
        if subject and not held(quote, subject):
            return level
        return _STEP_UP[level]

    def _tags_of(self, hit: SearchHit, asked: _Asked) -> Iterator[str]:
        """The question's tags that the note has, or speaks of."""
        spoken_of = set(tags_of(self._pack, hit.chunk))
        return (tag for tag in asked.tags if tag in hit.tags or tag in spoken_of)

    def _keywords(self, asked: _Asked) -> Sequence[str]:
        """Words to look for one by one: the pack's own first, then the question's."""
        text = folded(asked.given.message)
        own = [word for word in self._pack.keywords if folded(word) in text]
        others = [term for term in asked.terms if len(term) > 1 and not term.endswith("다")]
        return list(dict.fromkeys([*own, *others]))[:MAX_KEYWORDS]


def _relevance(text: str, terms: Sequence[str]) -> Relevance:
    share = coverage(text, terms)
    if share >= HIGH_COVERAGE:
        return "high"
    return "medium" if share >= MEDIUM_COVERAGE else "low"
