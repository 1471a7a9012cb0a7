"""SQL of judge benches, their items and results."""

import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import insert, select, text
from sqlalchemy.dialects.postgresql import insert as upsert
from sqlalchemy.ext.asyncio import AsyncSession

from app.experiments.models import JudgeBench, JudgeBenchItem, JudgeBenchResult
from app.experiments.parts import Experiment
from app.platform.db.owned_queries import one_and_page

JUDGE_BENCH = "judge_bench"

_BENCHES = """
SELECT b.*, b.items * cardinality(b.judges) AS total,
    (SELECT count(*) FROM judge_bench_results r WHERE r.bench_id = b.id) AS done,
    (SELECT count(*) FROM judge_bench_results r WHERE r.bench_id = b.id AND r.error IS NOT NULL)
        AS failed
FROM judge_benches b WHERE b.workspace_id = :workspace_id
"""
# With `done` and `failed` of `total` results.
BENCH, BENCH_PAGE = one_and_page(_BENCHES, "b.id")
BENCHES = Experiment(
    table=JudgeBench,
    one=BENCH,
    total="total",
    job=JUDGE_BENCH,
    key="bench_id",
    noun="bench",
    korean=("벤치", "벤치가"),
    path="/evaluation/judge-benches",
)
_RESULTS = text("""
SELECT r.position, r.judge, i.ref, i.hallucinated, i.grade, i.cell, i.spans AS human_spans, r.spans,
    r.score, r.confidence, r.decided, r.prompt_tokens, r.completion_tokens, r.cost_usd,
    r.latency_ms, r.error, r.made_by
FROM judge_bench_results r
JOIN judge_bench_items i ON i.bench_id = r.bench_id AND i.position = r.position
WHERE r.workspace_id = :workspace_id AND r.bench_id = :bench_id ORDER BY r.position
""")


async def add_bench(
    session: AsyncSession, bench: Mapping[str, Any], items: Sequence[Mapping[str, Any]]
) -> None:
    await session.execute(insert(JudgeBench).values(bench))
    await session.execute(insert(JudgeBenchItem), [dict(item) for item in items])


async def measured(
    session: AsyncSession, workspace_id: uuid.UUID, bench_id: uuid.UUID, first: int, last: int
) -> set[tuple[int, str]]:
    """The (position, judge) that have a result."""
    found = await session.execute(
        select(JudgeBenchResult.position, JudgeBenchResult.judge).where(
            JudgeBenchResult.workspace_id == workspace_id,
            JudgeBenchResult.bench_id == bench_id,
            JudgeBenchResult.position.between(first, last),
        )
    )
    return {(row.position, row.judge) for row in found}


async def add_result(session: AsyncSession, **values: object) -> None:
    """A second attempt at an answer changes nothing."""
    await session.execute(upsert(JudgeBenchResult).values(**values).on_conflict_do_nothing())


async def add_results(session: AsyncSession, rows: Sequence[Mapping[str, Any]]) -> None:
    await session.execute(insert(JudgeBenchResult), [dict(row) for row in rows])


async def results(
    session: AsyncSession, workspace_id: uuid.UUID, bench_id: uuid.UUID
) -> list[dict[str, Any]]:
    """With the labels of people, in the order of the items."""
    given = {"workspace_id": workspace_id, "bench_id": bench_id}
    return [dict(row) for row in (await session.execute(_RESULTS, given)).mappings()]


async def frame_of(
    session: AsyncSession, workspace_id: uuid.UUID, bench_id: uuid.UUID
) -> dict[str, Any] | None:
    """The frame of a bench as it is stored."""
    return await session.scalar(
        select(JudgeBench.frame).where(
            JudgeBench.workspace_id == workspace_id, JudgeBench.id == bench_id
        )
    )
