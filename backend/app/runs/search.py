"""The search that a run measures."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from app.ai_router.router import Providers
from app.ai_router.types import Lang
from app.chat.context import Context, search_notes
from app.datasets import queries
from app.db.session import Sessions, in_workspace
from app.errors import ConfigurationError, InvalidRequest, TransientProviderError
from app.packs.loader import load_pack
from app.processes import QUICK_LIMITS, quick_lane
from app.runs.evaluation_type import Retrieval
from app.search.fulltext import FullTextSearchEngine
from app.search.fusion import fused
from app.search.hits import ChunkHit
from app.search.passages import coverage
from app.search.vectors import VectorSearch, vector_search
from app.settings import Settings
from app.text.morphemes import morphemes

# What is not among the best of one ranking may be of the fused ones.
_DEEPER = 4


@dataclass(frozen=True, slots=True)
class Found:
    """chunk_ids: best first. notes: (title, content) as the answer model is given them: the chunks,
    or for `evidence` whole notes, as in /ai/chat. guidance: what the domain pack says to them."""

    chunk_ids: Sequence[str]
    notes: Sequence[tuple[str, str]]
    guidance: str = ""


def chosen_retrieval(wanted: Retrieval | None, settings: Settings) -> Retrieval:
    """The requested one, else the best available over chunks. Raises InvalidRequest for
    `hybrid` without an embedding model."""
    if wanted is None:
        return Retrieval.HYBRID if settings.embedding_model else Retrieval.TEXT
    if wanted is Retrieval.HYBRID and not settings.embedding_model:
        raise InvalidRequest(
            "The retrieval hybrid needs vectors, and no embedding model is configured; set"
            " SEARCHQA_EMBEDDING_MODEL and start again, or use text or evidence.",
            ko="hybrid 검색에는 벡터가 필요한데 임베딩 모델이 설정되지 않았습니다."
            " SEARCHQA_EMBEDDING_MODEL을 설정하고 다시 시작하거나 text 또는 evidence를 쓰세요.",
        )
    return wanted


def run_search(
    retrieval: Retrieval,
    embedding_model: str | None,
    sessions: Sessions,
    providers: Providers,
    settings: Settings,
) -> "RunSearch":
    """embedding_model: that of the run. Raises ConfigurationError when this process is configured
    with another: its vectors cannot be compared with those of the run's other cases."""
    vectors = vector_search(providers, settings) if retrieval is not Retrieval.TEXT else None
    ours = vectors and vectors.embedder.model
    if ours != embedding_model:
        raise ConfigurationError(
            f"The run was begun with the embedding model {embedding_model}, and this worker has"
            f" {ours}; restart the worker with the same settings as the API, or run again."
        )
    return RunSearch(retrieval, sessions, settings, vectors)


@dataclass(frozen=True, slots=True)
class RunSearch:
    """One of the three searches, which finds the same for all cases of a run or raises: a case
    that was searched otherwise than the others would spoil the means."""

    retrieval: Retrieval
    sessions: Sessions
    settings: Settings
    vectors: VectorSearch | None

    async def search(
        self,
        workspace_id: uuid.UUID,
        question: str,
        *,
        k: int,
        notebook_id: uuid.UUID | None,
        lang: Lang,
    ) -> Found:
        """At most k chunks. Raises ProviderError, transient where the embedding model is away."""
        if self.retrieval is Retrieval.EVIDENCE:
            return await self._evidence(workspace_id, question, k, notebook_id, lang)
        hits = await self._chunks(workspace_id, question, k, notebook_id)
        return Found([hit.chunk_id for hit in hits], [(hit.title, hit.content) for hit in hits])

    async def _chunks(
        self, workspace_id: uuid.UUID, question: str, k: int, notebook_id: uuid.UUID | None
    ) -> Sequence[ChunkHit]:
        limit = _DEEPER * k if self.vectors else k
        async with in_workspace(self.sessions, workspace_id) as session:
            by_words = await FullTextSearchEngine().search_chunks(
                session, workspace_id, question, limit=limit, notebook_id=notebook_id
            )
            if self.vectors is None:
                return by_words
            by_meaning = await self.vectors.search_chunks(
                session, workspace_id, question, limit=limit, notebook_id=notebook_id
            )
        return fused([by_words, by_meaning])[:k]

    async def _evidence(
        self,
        workspace_id: uuid.UUID,
        question: str,
        k: int,
        notebook_id: uuid.UUID | None,
        lang: Lang,
    ) -> Found:
        context = await search_notes(
            self.sessions,
            load_pack(self.settings.domain_pack),
            workspace_id,
            question,
            notebook_id=notebook_id,
            lang=lang,
            vectors=self.vectors,
            limit=k,
        )
        if "vector_search_unavailable" in context.events:
            raise TransientProviderError("the embedding model did not answer in time")
        return Found(
            await self._chunks_of(workspace_id, question, context),
            [(source.title, source.content) for source in context.sources],
            context.guidance,
        )

    async def _chunks_of(
        self, workspace_id: uuid.UUID, question: str, context: Context
    ) -> Sequence[str]:
        """One chunk a note: the one that was found, or of a note that was found as a whole the one
        that holds most of the question's words."""
        notes = [source.note_id for source in context.sources if source.note_id]
        terms = await quick_lane().run(QUICK_LIMITS, morphemes, question)
        best: dict[uuid.UUID, tuple[float, str]] = {}
        async with in_workspace(self.sessions, workspace_id) as session:
            for row in await queries.chunks_of_notes(session, workspace_id, notes):
                held = coverage(row.content, terms)
                if row.note_id not in best or held > best[row.note_id][0]:
                    best[row.note_id] = (held, row.id)
        found = []
        for source, evidence in zip(context.sources, context.evidence, strict=True):
            whole = evidence.chunk_id == str(source.note_id)
            if source.note_id in best:
                found.append(best[source.note_id][1] if whole else evidence.chunk_id)
        return found
