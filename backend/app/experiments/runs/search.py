"""The search that a run measures."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import RowMapping

from app.ai_router.jobs import ModelJobContext
from app.ai_router.types import Lang
from app.answering.context import Context, search_notes
from app.experiments import queries
from app.experiments.models import Retrieval
from app.notes.fulltext import chunks_with, search_terms
from app.notes.hits import ChunkHit, fused
from app.notes.keys import Place
from app.notes.vectors import VectorSearch, vector_search
from app.platform.db.session import Sessions, in_workspace
from app.platform.errors import ConfigurationError, InvalidRequest, TransientProviderError
from app.platform.processes.pool import QUICK_LIMITS, quick_lane
from app.platform.settings import Settings
from app.text.morphemes import morphemes
from app.text.packs.loader import load_pack
from app.text.packs.models import DomainPack
from app.text.passages import coverage

# What is not among the best of one ranking may be of the fused ones.
_FUSION_DEPTH = 4


@dataclass(frozen=True, slots=True)
class Found:
    """chunk_ids: best first. notes: (title, content) as the answer model is given them: the chunks,
    or for `evidence` whole notes, as in /ai/chat. guidance: what the domain pack says to them."""

    chunk_ids: Sequence[str]
    notes: Sequence[tuple[str, str]]
    guidance: str = ""


def chosen_retrieval(wanted: Retrieval | None, settings: Settings) -> Retrieval:
    """The requested one, else the best available over chunks. Raises InvalidRequest for one
    that needs vectors without an embedding model."""
    if wanted is None:
        return Retrieval.HYBRID if settings.embedding.model else Retrieval.TEXT
    if wanted.needs_vectors and not settings.embedding.model:
        raise InvalidRequest.worded("retrieval-needs-vectors", wanted=wanted)
    return wanted


def run_search(
    run: RowMapping, notebook_id: uuid.UUID | None, context: ModelJobContext
) -> "RunSearch":
    """Raises ConfigurationError when this process is configured with another embedding model than
    the run: its vectors cannot be compared with those of the run's other cases."""
    retrieval, settings = Retrieval(run["retrieval"]), context.settings
    vectors = None
    if retrieval is not Retrieval.TEXT:
        vectors = vector_search(context.providers, settings)
    ours = vectors and vectors.embedder.model
    if ours != run["embedding_model"]:
        raise ConfigurationError(
            f"The run was begun with the embedding model {run['embedding_model']}, and this worker"
            f" has {ours}; restart the worker with the same settings as the API, or run again."
        )
    pack = load_pack(settings.evaluation.domain_pack)
    where = run["workspace_id"], notebook_id
    return RunSearch(retrieval, context.sessions, pack, vectors, *where, run["k"])


@dataclass(frozen=True, slots=True)
class RunSearch:
    """One of the four searches for at most `k` chunks, which finds the same for all cases of a
    run or raises: a case that was searched otherwise than the others would spoil the means."""

    retrieval: Retrieval
    sessions: Sessions
    pack: DomainPack
    vectors: VectorSearch | None
    workspace_id: uuid.UUID
    notebook_id: uuid.UUID | None
    k: int

    async def search(self, question: str, lang: Lang) -> Found:
        """Raises ProviderError, transient where the embedding model is away."""
        if self.retrieval is Retrieval.EVIDENCE:
            return await self._evidence(question, lang)
        hits = await self._chunks(question)
        return Found([hit.chunk_id for hit in hits], [(hit.title, hit.content) for hit in hits])

    async def _chunks(self, question: str) -> Sequence[ChunkHit]:
        limit = _FUSION_DEPTH * self.k if self.retrieval is Retrieval.HYBRID else self.k
        place = Place(self.workspace_id, self.notebook_id)
        found: list[ChunkHit] = []
        near: list[ChunkHit] = []
        if self.retrieval is not Retrieval.VECTOR:
            terms = await search_terms(question)
            async with in_workspace(self.sessions, self.workspace_id) as session:
                found = await chunks_with(session, place, terms, limit)
        if self.vectors is not None:
            near = await self.vectors.search_chunks(self.sessions, place, question, limit=limit)
        return fused(found, near)[: self.k]

    async def _evidence(self, question: str, lang: Lang) -> Found:
        context = await search_notes(
            self.sessions,
            self.pack,
            self.workspace_id,
            question,
            notebook_id=self.notebook_id,
            lang=lang,
            vectors=self.vectors,
            limit=self.k,
        )
        if "vector_search_unavailable" in context.events:
            raise TransientProviderError("the embedding model did not answer in time")
        return Found(
            await self._chunk_of_each_note(question, context),
            [(source.title, source.content) for source in context.sources],
            context.guidance,
        )

    async def _chunk_of_each_note(self, question: str, context: Context) -> Sequence[str]:
        """One chunk a note: the one that was found, or of a note that was found as a whole the one
        that holds most of the question's words."""
        notes = [source.note_id for source in context.sources if source.note_id]
        terms = await quick_lane().run(QUICK_LIMITS, morphemes, question)
        best: dict[uuid.UUID, tuple[float, str]] = {}
        async with in_workspace(self.sessions, self.workspace_id) as session:
            given = {"workspace_id": self.workspace_id, "note_ids": notes}
            for row in await session.execute(queries.CHUNKS_OF_NOTES, given):
                held = coverage(row.content, terms)
                if row.note_id not in best or held > best[row.note_id][0]:
                    best[row.note_id] = (held, row.id)
        found = []
        for source, evidence in zip(context.sources, context.evidence, strict=True):
            whole = evidence.chunk_id == str(source.note_id)
            if source.note_id in best:
                found.append(best[source.note_id][1] if whole else evidence.chunk_id)
        return found
