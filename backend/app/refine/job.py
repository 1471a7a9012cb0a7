"""The job that improves an answer: the loop, with each step committed before the next."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from psycopg.errors import ForeignKeyViolation
from sqlalchemy.exc import IntegrityError

from app.answers.from_notes import FromNotes, answer_from_notes
from app.chat.context import search_notes
from app.db.session import in_workspace
from app.errors import TransientProviderError
from app.jobs.job import Job, JobContext
from app.judges.judge_names import prompted_judge
from app.judges.refinement.evaluation import Document
from app.judges.refinement.quality_evaluator import QualityEvaluator
from app.packs.loader import load_pack
from app.refine.loop import RefineLoop
from app.refine.query_rewriter import QueryRewriter
from app.refine.state import RefinementState
from app.refine.store import Refining, load, save
from app.search.vectors import vector_search
from app.verdicts.judging.metering import MeteredRouter
from app.verdicts.policy.service import policy_of


class _EvaluationGone(Exception):
    """The evaluation was deleted while its answer was being improved."""


async def refine(job: Job, context: JobContext) -> None:
    """Improves the answer of one evaluation, or resumes where another process stopped. An answer
    that was deleted meanwhile ends the job quietly.

    Raises TransientProviderError; then the job is to be tried again later.
    """
    async with in_workspace(context.sessions, job.workspace_id) as session:
        refining = await load(session, job.workspace_id, job.id)
        policy = await policy_of(session, job.workspace_id, context.settings)
    if refining is None:
        return
    settings = context.settings
    answering = _metered(context, settings.answer_model, settings.answer_deadline)
    judging = _metered(context, prompted_judge(policy.judge_model), settings.judge_deadline)
    work = _Work(context, refining, answering, judging)
    state = refining.state
    try:
        async for step in work.loop().run(state):
            state = step.state
            await work.store(state)
            await context.progress(len(state.iterations), refining.max_iterations + 1)
    except TransientProviderError:
        # The step that failed may have had replies, and they are paid for.
        with suppress(_EvaluationGone):
            await work.store(state)
        raise
    except _EvaluationGone:
        return


def _metered(context: JobContext, model: str, deadline: float) -> MeteredRouter:
    return MeteredRouter(context.providers.router(model, deadline=deadline))


@dataclass(frozen=True, slots=True)
class _Work:
    """What the loop does outside itself: search, answer, judge. guidance: of the domain pack, by
    the ids of the documents that were found with it."""

    context: JobContext
    refining: Refining
    answering: MeteredRouter
    judging: MeteredRouter
    guidance: dict[tuple[str, ...], str] = field(default_factory=dict)

    async def store(self, state: RefinementState) -> None:
        """Commits the state and what has been spent since. Raises _EvaluationGone."""
        spent = self.answering.take_usage() + self.judging.take_usage()
        try:
            async with self.context.writing() as session:
                await save(session, self.refining, state, spent)
        except IntegrityError as error:
            if isinstance(error.orig, ForeignKeyViolation):
                raise _EvaluationGone from None
            raise

    def loop(self) -> RefineLoop:
        # Unknown to authors of notes, and the same when another process resumes.
        fence_key = self.refining.id.bytes
        threshold = self.refining.threshold
        return RefineLoop(
            QualityEvaluator(
                self.judging, threshold=threshold, raise_transient=True, fence_key=fence_key
            ),
            QueryRewriter(self.judging, raise_transient=True, fence_key=fence_key),
            retrieve=self._retrieve,
            answer=self._answer,
            threshold=threshold,
            max_iterations=self.refining.max_iterations,
            raise_transient=True,
        )

    async def _retrieve(self, query: str) -> Sequence[Document]:
        found = await search_notes(
            self.context.sessions,
            load_pack(self.context.settings.domain_pack),
            self.refining.workspace_id,
            query,
            lang=self.refining.state.lang,
            notebook_id=self.refining.notebook_id,
            vectors=vector_search(self.context.providers, self.context.settings),
        )
        documents = [
            Document(id=str(source.note_id), title=source.title, content=source.content)
            for source in found.sources
        ]
        self.guidance[_ids(documents)] = found.guidance
        return documents

    async def _guidance(self, documents: Sequence[Document]) -> str:
        """Of the search that found the documents. Another process may have made it; then it is
        made again, and its guidance holds for the same notes alone, whose numbers it names."""
        if _ids(documents) not in self.guidance:
            await self._retrieve(self.refining.state.iterations[-1].query)
        return self.guidance.get(_ids(documents), "")

    async def _answer(self, question: str, documents: Sequence[Document], about: str | None) -> str:
        asked = FromNotes(
            question,
            [(document.title, document.content) for document in documents],
            self.refining.state.lang,
            await self._guidance(documents),
            about,
        )
        return (await answer_from_notes(self.answering, asked)).content


def _ids(documents: Sequence[Document]) -> tuple[str, ...]:
    return tuple(document.id for document in documents)
