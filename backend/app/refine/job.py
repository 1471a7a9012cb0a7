"""The job that improves an answer: the loop, with each step committed before the next."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy.exc import IntegrityError

from app.ai_router.prompts import search_qa
from app.ai_router.types import Grounding, Lang
from app.chat.context import search_notes
from app.chat.service import ANSWER_MAX_TOKENS, ANSWER_TEMPERATURE
from app.db.session import in_workspace
from app.jobs.job import Job, JobContext
from app.packs.loader import load_pack
from app.refine.evaluation import Document
from app.refine.loop import RefineLoop
from app.refine.metering import MeteredRouter
from app.refine.quality_evaluator import QualityEvaluator
from app.refine.query_rewriter import QueryRewriter
from app.refine.store import Refining, load, save

_ABOUT: Mapping[Lang, str] = {"ko": "질문한 사람", "en": "About the asker"}


async def refine(job: Job, context: JobContext) -> None:
    """Improves the answer of one evaluation, or goes on where another process stopped. An answer
    that has been forgotten meanwhile ends the job quietly.

    Raises TransientProviderError; then the job is to be tried again later.
    """
    async with in_workspace(context.sessions, job.workspace_id) as session:
        refining = await load(session, job.workspace_id, job.id)
    if refining is None:
        return
    work = _Work(context, refining, _answering(context), _judging(context))
    async for step in work.loop().run(refining.state):
        spent = work.answering.take_usage() + work.judging.take_usage()
        try:
            async with context.writing() as session:
                await save(session, refining, step.state, spent)
        except IntegrityError:
            # The evaluation was deleted while its answer was being improved.
            return
        await context.progress(len(step.state.iterations), refining.max_iterations + 1)


def _answering(context: JobContext) -> MeteredRouter:
    settings = context.settings
    deadline = settings.answer_deadline
    return MeteredRouter(context.providers.router(settings.answer_model, deadline=deadline))


def _judging(context: JobContext) -> MeteredRouter:
    settings = context.settings
    deadline = settings.judge_deadline
    return MeteredRouter(context.providers.router(settings.judge_model, deadline=deadline))


@dataclass(frozen=True, slots=True)
class _Work:
    """What the loop does outside itself: search, answer, judge."""

    context: JobContext
    refining: Refining
    answering: MeteredRouter
    judging: MeteredRouter

    def loop(self) -> RefineLoop:
        # Known to nobody who wrote the notes, and the same when another process goes on.
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
