"""The job that improves an answer: the loop, with each step committed before the next."""

import asyncio
import logging
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial

from psycopg.errors import ForeignKeyViolation
from sqlalchemy.exc import IntegrityError

from app.ai_router.jobs import ModelJobContext
from app.ai_router.prompts.answers import Revision
from app.answering.context import Context, search_notes
from app.answering.refine.loop import RefineLoop
from app.answering.refine.queries import relevant_notes
from app.answering.refine.query_rewriter import QueryRewriter
from app.answering.refine.same_judge import STEP_CALLS, SameJudge, Spent, StepRouter
from app.answering.refine.state import AnswerVerdict, Iteration, RefinementState
from app.answering.refine.store import FOREIGN, Refining, RetrievalGain, load, retrieval_gain, save
from app.judges.answer import AnswerToJudge, Note
from app.judges.judge_names import RULES_MODEL, prompted_judge
from app.judges.published.quality_evaluator import QualityEvaluator
from app.judges.published.refinement import Document
from app.notes.vectors import vector_search
from app.platform.db.session import in_workspace
from app.platform.errors import ConfigurationError, TransientProviderError
from app.platform.jobs.job import Job
from app.platform.spans import enter_trace
from app.text.packs.loader import load_pack
from app.verdicts.answers.finished import FromNotes, answer_from_notes
from app.verdicts.judging.reply_cache import MeteredRouter
from app.verdicts.lifecycle.retry import Backoff
from app.verdicts.policy.queries import redactor_in
from app.verdicts.policy.service import policy_of

logger = logging.getLogger(__name__)


class _EvaluationGone(Exception):
    """The evaluation was deleted while its answer was being improved."""


async def refine(job: Job, context: ModelJobContext) -> None:
    """Improves the answer of one evaluation, or resumes where another process stopped. An answer
    that was deleted meanwhile ends the job quietly.

    A judge that fails is replaced by estimates and keywords. Raises TransientProviderError when no
    answer can be had, but not in the last attempt: that ends with what there is.
    """
    async with in_workspace(context.sessions, job.workspace_id) as session:
        refining = await load(session, job.workspace_id, job.id)
        policy = await policy_of(session, job.workspace_id, context.settings)
    if refining is None:
        return
    enter_trace(refining.traceparent)
    work = _Work(
        context,
        refining,
        _router(
            context,
            context.settings.answering.model,
            context.settings.answering.deadline_seconds,
            calls=1,
        ),
        _judge(context, prompted_judge(policy.judge_model)),
        SameJudge(refining.first, context.settings, context.providers) if refining.first else None,
    )
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


def _router(context: ModelJobContext, model: str, deadline: float, *, calls: int) -> StepRouter:
    router = MeteredRouter(context.providers.router(model, deadline=deadline))
    return StepRouter(router, calls, Backoff.from_settings(context.settings))


def _judge(context: ModelJobContext, model: str) -> StepRouter:
    try:
        return _router(context, model, context.settings.judge.deadline_seconds, calls=STEP_CALLS)
    except ConfigurationError as error:
        logger.warning("%s cannot be used (%s); answers are estimated", model, error)
        return _router(
            context, RULES_MODEL, context.settings.judge.deadline_seconds, calls=STEP_CALLS
        )


@dataclass(frozen=True, slots=True)
class _Work:
    """What the loop does outside itself: search, answer, judge. found: by the ids of the documents,
    for what the domain pack says of them and the evidence in them."""

    context: ModelJobContext
    refining: Refining
    answering: StepRouter
    judging: StepRouter
    same_judge: SameJudge | None
    found: dict[tuple[str, ...], Context] = field(default_factory=dict)

    async def store(self, state: RefinementState) -> None:
        """Commits the state and what has been spent since. Raises _EvaluationGone."""
        gain = await self._gain(state) if state.stop else None
        try:
            async with self.context.writing() as session:
                await save(session, self.refining, state, self._spent(), gain)
        except IntegrityError as error:
            if isinstance(error.orig, ForeignKeyViolation):
                raise _EvaluationGone from None
            raise

    def _spent(self) -> Spent:
        routers = (self.answering, self.judging)
        spent = sum((each.end_step() for each in routers), Spent())
        return spent + self.same_judge.take_spent() if self.same_judge else spent

    async def _gain(self, state: RefinementState) -> RetrievalGain:
        async with in_workspace(self.context.sessions, self.refining.workspace_id) as session:
            relevant = await relevant_notes(session, self.refining.workspace_id, state.question)
        # Notes that another application sent have no ids that a dataset could name.
        foreign = any(
            one.id.startswith(FOREIGN) for each in state.iterations for one in each.documents or ()
        )
        known = relevant if relevant and not foreign else None
        return await asyncio.to_thread(retrieval_gain, state, known)

    def loop(self) -> RefineLoop:
        # Unknown to authors of notes, and the same when another process resumes.
        fence_key = self.refining.id.bytes
        threshold = self.refining.threshold
        job, settings = self.context.job, self.context.settings
        offline = self.answering.model.provider == "offline"
        return RefineLoop(
            QualityEvaluator(self.judging, threshold=threshold, fence_key=fence_key),
            QueryRewriter(self.judging, fence_key=fence_key),
            retrieve=self._retrieve,
            answer=self._answer,
            # An extractive answerer would write the same answer again.
            revise=None if offline else self._answer,
            judge=partial(self._verdict, self.same_judge) if self.same_judge else None,
            threshold=threshold,
            max_iterations=self.refining.max_iterations,
            raise_transient=job.tries + 1 < settings.judge.max_attempts,
        )

    async def _retrieve(self, query: str) -> Sequence[Document]:
        found = await search_notes(
            self.context.sessions,
            load_pack(self.context.settings.evaluation.domain_pack),
            self.refining.workspace_id,
            query,
            lang=self.refining.state.lang,
            notebook_id=self.refining.notebook_id,
            vectors=vector_search(self.context.providers, self.context.settings),
        )
        async with in_workspace(self.context.sessions, self.refining.workspace_id) as session:
            if redactor := await redactor_in(session, self.refining.workspace_id):
                found = found.redacted(redactor)
        documents = [
            Document(id=str(source.note_id), title=source.title, content=source.content)
            for source in found.sources
        ]
        self.found[_ids(documents)] = found
        return documents

    async def _context(self, query: str, documents: Sequence[Document]) -> Context:
        """Of the search that found the documents. Another process may have made it; then it is
        made again, and it holds for the same notes alone, whose numbers it names."""
        if _ids(documents) not in self.found:
            await self._retrieve(query)
        return self.found.get(_ids(documents)) or Context()

    async def _answer(
        self,
        question: str,
        documents: Sequence[Document],
        about: str | None,
        revises: Revision | None = None,
    ) -> str:
        query = self.refining.state.iterations[-1].query
        asked = FromNotes(
            question,
            [(document.title, document.content) for document in documents],
            self.refining.state.lang,
            (await self._context(query, documents)).guidance,
            about,
            revises,
        )
        return (await answer_from_notes(self.answering, asked)).content

    async def _verdict(self, judge: SameJudge, iteration: Iteration) -> AnswerVerdict:
        documents, state = iteration.documents or (), self.refining.state
        context = await self._context(iteration.query, documents)
        subject = AnswerToJudge(
            state.question,
            iteration.answer or "",
            tuple(Note(one.title, one.content) for one in documents),
            tuple(context.evidence),
            state.lang,
            judge.feature,
        )
        return await judge.verdict(self.refining.id, self.refining.workspace_id, subject)


def _ids(documents: Sequence[Document]) -> tuple[str, ...]:
    return tuple(document.id for document in documents)
