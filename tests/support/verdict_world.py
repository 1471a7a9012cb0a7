"""Answers and outcomes for tests of the life of a verdict."""

import uuid
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from psycopg.rows import dict_row

from app.answering.refine.automatic import automatic_refinement
from app.judges.checklists import QualityItem, QualityResult
from app.judges.verdict import SearchQAEvaluation, SourceCoverage
from app.platform.db.pool import Pool, create_pool
from app.platform.db.session import Sessions, create_engine, create_sessions
from app.platform.jobs.store import JobStore
from app.platform.settings import Settings
from app.verdicts.answers.finished import AnswerSource, FinishedAnswer
from app.verdicts.lifecycle.lifecycle import VerdictLifecycle
from app.verdicts.lifecycle.outcome import Usage, Verdict
from app.verdicts.lifecycle.service import NewEvaluation, finish_answer
from app.verdicts.policy.evaluation_policy import EvaluationPolicy
from app.workspaces.service import ensure_workspace
from app.workspaces.tokens import DEFAULT_WORKSPACE

NOTES = (
    AnswerSource("PCR 조건", "변성은 95도에서 30초 동안 한다."),
    AnswerSource("배양기", "배양기는 37도로 맞춘다."),
)


def settings(**changes: object) -> Settings:
    """Settings that read neither environment nor .env. Tests store one answer many times over and
    count what a judge is asked of each, many at once and without a slow start."""
    return Settings(None, {}, **{"reuse_replies_hours": 0, "judge_limits_learned": False} | changes)


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


async def store_answers(
    world: World,
    count: int = 1,
    *,
    policy: EvaluationPolicy | None = None,
    workspace: str = DEFAULT_WORKSPACE,
    **changes: object,
) -> Sequence[NewEvaluation]:
    """Committed answers of a workspace with their evaluation rows."""
    async with world.sessions.begin() as session:
        workspace_id = await ensure_workspace(session, workspace)
    policy = policy or EvaluationPolicy.from_settings(settings())
    return [
        await finish_answer(world.pool, policy, finished_answer(workspace_id, **changes))
        for _ in range(count)
    ]


@asynccontextmanager
async def open_world(database_url: str) -> AsyncIterator[World]:
    engine = create_engine(database_url)
    async with create_pool(database_url) as pool:
        lifecycle = VerdictLifecycle(pool, settings(), automatic_refinement(settings()))
        jobs = JobStore(pool, settings())
        yield World(database_url, pool, create_sessions(engine), lifecycle, jobs)
    await engine.dispose()
