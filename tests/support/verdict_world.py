"""Answers and outcomes for tests of the life of a verdict."""

import uuid
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from decimal import Decimal
from types import MappingProxyType
from typing import Any

from psycopg.rows import dict_row
from sqlalchemy.ext.asyncio import AsyncSession

from app.ai_router.jobs import ModelJobContext
from app.answering.refine.automatic import automatic_refinement
from app.judges.answer import SearchQAEvaluation, SourceCoverage
from app.judges.checklists import QualityItem, QualityResult
from app.judges.phases.groundedness import AnswerClaim, Phase3Result
from app.judges.phases.run import FeedbackResult
from app.notes.importers import ImportedNote
from app.platform.db.pool import Pool, create_pool
from app.platform.db.session import Sessions, create_engine, create_sessions
from app.platform.jobs.job import Job
from app.platform.jobs.store import JobStore
from app.platform.settings import Settings
from app.verdicts.answers.finished import AnswerSource, FinishedAnswer
from app.verdicts.lifecycle.lifecycle import VerdictLifecycle
from app.verdicts.lifecycle.outcome import Usage, Verdict
from app.verdicts.lifecycle.service import NewEvaluation, finish_answer
from app.verdicts.policy.document import WorkspacePolicy
from app.verdicts.policy.evaluation_policy import EvaluationPolicy
from app.verdicts.policy.service import save_policy
from app.workspaces.models import Workspace
from app.workspaces.service import ensure_workspace
from app.workspaces.tokens import DEFAULT_WORKSPACE

NOTES = (
    AnswerSource("PCR 조건", "변성은 95도에서 30초 동안 한다."),
    AnswerSource("배양기", "배양기는 37도로 맞춘다."),
)


_TIMES = {"judge_deadline", "judge_lease", "rules_time_limit", "task_time_limit"}


def settings(**changes: object) -> Settings:
    """Settings that read neither environment nor .env. Tests store one answer many times over and
    count what a judge is asked of each, many at once and without a slow start. Rules may take as
    long as a judge by default, on a busy machine too."""
    usual: dict[str, object] = {"reuse_replies_hours": 0, "judge_limits_learned": False}
    if _TIMES.isdisjoint(changes):
        usual |= {"rules_time_limit": 60, "judge_lease": 150}
    return Settings(None, {}, **usual | changes)


def finished_answer(workspace_id: uuid.UUID, **changes: object) -> FinishedAnswer:
    values = {
        "workspace_id": workspace_id,
        "question": "변성 온도는?",
        "answer": "변성은 95도에서 합니다. [노트 1]",
        "lang": "ko",
        "feature": "search_qa",
        "origin": "external",
        "from_notes": True,
        "sources": NOTES,
    }
    return FinishedAnswer(**values | changes)


def verdict(correctness: float = 0.9, **changes: object) -> Verdict:
    evaluation = SearchQAEvaluation(
        correctness=correctness,
        utility=0.8,
        confidence="medium",
        source_coverage=[
            SourceCoverage(
                note_index=1,
                note_title="PCR 조건",
                cited=True,
                relevant_claim="변성은 95도",
                quote="변성은 95도에서 30초",
                quote_found=True,
            ),
            SourceCoverage(note_index=2, note_title="배양기", cited=False, relevant_claim=""),
        ],
        grounding_issues=["'30분'은 노트에 없는 정보"],
        summary="근거가 있는 답변",
        flags=["score_contradicts_issues"],
    )
    quality = QualityResult(
        passed=True,
        pass_ratio=0.75,
        items=[QualityItem(item="질문에 직접적으로 답변했는가?", passed=True, reason="예")],
    )
    values = {
        "evaluation": evaluation,
        "quality": quality,
        "provider": "openai",
        "model": "gpt-4o-mini",
        "prompt_version": "1",
        "judge_ms": 12.5,
        "usage": Usage(100, 20, Decimal("0.00012")),
    }
    return Verdict(**values | changes)


@dataclass
class World:
    """A database with the hot path over it, and a way to look at its rows."""

    url: str
    pool: Pool
    sessions: Sessions
    lifecycle: VerdictLifecycle
    jobs: JobStore

    async def workspace(self, name: str = DEFAULT_WORKSPACE) -> uuid.UUID:
        async with self.sessions.begin() as session:
            return await ensure_workspace(session, name)

    async def row(self, id_: uuid.UUID) -> dict[str, Any]:
        return (await self.rows("SELECT * FROM qa_evaluations WHERE id = %s", id_))[0]

    async def rows(self, query: str, *parameters: object) -> list[dict[str, Any]]:
        async with self.pool.connection() as connection:
            cursor = connection.cursor(row_factory=dict_row)
            await cursor.execute(query, parameters)
            return await cursor.fetchall() if cursor.description else []

    async def events(self, id_: uuid.UUID) -> list[str]:
        query = "SELECT status FROM verdict_events WHERE evaluation_id = %s ORDER BY xid, id"
        return [row["status"] for row in await self.rows(query, id_)]

    async def expire_lease(self, id_: uuid.UUID) -> None:
        await self.rows("UPDATE qa_evaluations SET run_at = now() WHERE id = %s", id_)

    def job_context(self, job: Job, given: Settings, providers: Any) -> ModelJobContext:
        """As a worker gives it to the handler of a job."""
        extend = self.jobs.extend
        return ModelJobContext(job, given, self.sessions, providers, lambda _: None, extend)


async def store_answers(
    world: World,
    count: int = 1,
    *,
    policy: EvaluationPolicy | None = None,
    workspace: str = DEFAULT_WORKSPACE,
    **changes: object,
) -> Sequence[NewEvaluation]:
    """Committed answers of a workspace with their evaluation rows."""
    workspace_id = await world.workspace(workspace)
    policy = policy or EvaluationPolicy.from_settings(settings())
    return [
        await finish_answer(world.pool, policy, finished_answer(workspace_id, **changes))
        for _ in range(count)
    ]


async def answers(world: World, count: int = 1) -> list[uuid.UUID]:
    """Their evaluations."""
    return [new.evaluation_id for new in await store_answers(world, count)]


async def answer(world: World, **changes: Any) -> uuid.UUID:
    """Its evaluation."""
    (new,) = await store_answers(world, **changes)
    return new.evaluation_id


@asynccontextmanager
async def open_world(database_url: str) -> AsyncIterator[World]:
    engine = create_engine(database_url)
    async with create_pool(database_url) as pool:
        lifecycle = VerdictLifecycle(pool, settings(), automatic_refinement(settings()))
        jobs = JobStore(pool, settings())
        yield World(database_url, pool, create_sessions(engine), lifecycle, jobs)
    await engine.dispose()


async def make_workspace(session: AsyncSession, name: str | None = None) -> Workspace:
    workspace = Workspace(name=name or f"workspace-{uuid.uuid4().hex[:12]}")
    session.add(workspace)
    await session.flush()
    return workspace


def imported_note(
    content: str = "PCR 변성은 95도에서 30초 동안 한다.",
    *,
    title: str = "PCR 조건",
    source_key: str | None = None,
    category: str | None = None,
) -> ImportedNote:
    return ImportedNote(
        source_key=source_key or title, title=title, content_text=content, category=category
    )


async def set_policy(
    world: World, settings: Settings, *, workspace: str = "default", **fields: object
) -> uuid.UUID:
    """Replaces the policy of a workspace, whose id is returned."""
    workspace_id = await world.workspace(workspace)
    policy = WorkspacePolicy.model_validate(fields)
    # A transaction of its own: what checks models may take a moment to load.
    async with world.sessions.begin() as session:
        await save_policy(session, workspace_id, policy, settings)
    return workspace_id


ANSWER = "변성은 95도에서 합니다. 어닐링은 72도입니다."
# Supported, then unsupported.
CLAIMS = ((0, 13), (14, 25))


def claims(*verdicts: str) -> FeedbackResult:
    """Phase 3 with a claim for each verdict; of two claims, the places are CLAIMS."""
    found = [
        AnswerClaim(
            text=f"주장 {number}",
            verdict=each,
            note_index=None,
            quote="",
            quote_found=None,
            start=CLAIMS[number][0] if number < len(CLAIMS) else None,
            end=CLAIMS[number][1] if number < len(CLAIMS) else None,
            reasoning="",
            source="judge",
        )
        for number, each in enumerate(verdicts)
    ]
    share = verdicts.count("supported") / len(verdicts)
    return FeedbackResult(
        phase3=Phase3Result(share, [], [], found, []), sources={"groundedness": "judge"}
    )


async def judged(
    world: World,
    correctness: float = 0.95,
    *,
    flags: Sequence[str] = (),
    issues: Sequence[str] = (),
    feedback: FeedbackResult | None = None,
    degraded: str | None = None,
    by: Mapping[str, object] = MappingProxyType({}),
    **answer: Any,
) -> NewEvaluation:
    """A stored answer with a verdict, by a worker's own path. by: changes of the verdict, such as
    its provider."""
    policy = EvaluationPolicy.from_settings(settings(judge_model="openai:gpt-4o-mini"))
    given = {"answer": ANSWER} | answer
    (new,) = await store_answers(world, policy=policy, **given)
    outcome = verdict(feedback=feedback, degraded_because=degraded)
    scores = {"correctness": correctness, "flags": list(flags), "grounding_issues": list(issues)}
    evaluation = outcome.evaluation.model_copy(update=scores)
    outcome = verdict(evaluation=evaluation, feedback=feedback, degraded_because=degraded, **by)
    (claim,) = await world.lifecycle.claim([new.evaluation_id])
    assert await world.lifecycle.record([(claim, outcome)]) == {claim.id}
    return new
