"""The job that improves an answer: the loop, with each step committed before the next."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from psycopg.errors import ForeignKeyViolation
from sqlalchemy.exc import IntegrityError

from app.ai_router.prompts import search_qa
from app.ai_router.types import Grounding, Lang
from app.chat.context import search_notes
from app.chat.service import ANSWER_MAX_TOKENS, ANSWER_TEMPERATURE
from app.db.session import in_workspace
from app.errors import TransientProviderError
from app.jobs.job import Job, JobContext
from app.judges.refinement.evaluation import Document
from app.judges.refinement.quality_evaluator import QualityEvaluator
from app.packs.loader import load_pack
from app.refine.loop import RefineLoop
from app.refine.query_rewriter import QueryRewriter
from app.refine.state import RefinementState
from app.refine.store import Refining, load, save
from app.search.vectors import vector_search
from app.verdicts.judging.metering import MeteredRouter
from app.verdicts.policy.evaluation_policy import EvaluationPolicy
from app.verdicts.policy.service import policy_of

_ABOUT: Mapping[Lang, str] = {"ko": "질문한 사람", "en": "About the asker"}


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
    work = _Work(context, refining, _answering(context), _judging(context, policy))
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


def _answering(context: JobContext) -> MeteredRouter:
    settings = context.settings
    deadline = settings.answer_deadline
    return MeteredRouter(context.providers.router(settings.answer_model, deadline=deadline))


def _judging(context: JobContext, policy: EvaluationPolicy) -> MeteredRouter:
    deadline = context.settings.judge_deadline
    return MeteredRouter(context.providers.router(policy.judge_model, deadline=deadline))


@dataclass(frozen=True, slots=True)
class _Work:
    """What the loop does outside itself: search, answer, judge."""

    context: JobContext
    refining: Refining
    answering: MeteredRouter
    judging: MeteredRouter

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
        return [
            Document(id=str(source.note_id), title=source.title, content=source.content)
            for source in found.sources
        ]

    async def _answer(self, question: str, documents: Sequence[Document], about: str | None) -> str:
        lang = self.refining.state.lang
        notes = [(document.title, document.content) for document in documents]
        asked = f"{question}\n\n{_ABOUT[lang]}: {about}" if about else question
        response = await self.answering.chat(
            search_qa.build_messages(asked, notes, lang),
            temperature=ANSWER_TEMPERATURE,
            max_tokens=ANSWER_MAX_TOKENS,
            grounding=Grounding(
                question=question,
                note_titles=[title for title, _ in notes],
                note_contents=[content for _, content in notes],
                lang=lang,
            ),
        )
        # PostgreSQL's text holds no NUL.
        return response.content.replace("\x00", "")
