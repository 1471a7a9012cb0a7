"""SQL of datasets, runs and benches, and what runs and benches are as experiments."""

import uuid
from collections.abc import Sequence
from typing import Any

from sqlalchemy import func, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from app.experiments.models import EvalDataset, EvalResult, EvalRun, JudgeBench
from app.experiments.parts import Experiment
from app.platform.db.owned_queries import MAX_POSITION, in_order, one_and_page
from app.platform.db.statements import in_list
from app.platform.jobs.status import UNFINISHED_RUNS
from app.verdicts.status import BUDGET_REASONS

_LOCK_NAME = text("SELECT pg_advisory_xact_lock(hashtextextended(:workspace_id || :name, 0))")

_DATASETS = """
SELECT d.*, (SELECT count(*) FROM eval_test_cases c WHERE c.dataset_id = d.id) AS cases
FROM eval_datasets d WHERE d.workspace_id = :workspace_id
"""
DATASET, DATASET_PAGE = one_and_page(_DATASETS, "d.id")

# Chunks of notes that changed are new ones: their old ids are gone.
EXISTING_CHUNKS = text("""
SELECT id::text FROM note_chunks
WHERE workspace_id = :workspace_id AND id::text = ANY(:ids)
""")
CHUNKS = text("""
SELECT c.id::text AS id, c.note_id::text AS note_id, n.title, c.content
FROM note_chunks c JOIN notes n ON n.id = c.note_id
WHERE c.workspace_id = :workspace_id AND c.notebook_id = :notebook_id
ORDER BY c.note_id, c.position
""")

CHUNKS_OF_NOTES = text("""
SELECT id::text AS id, note_id, content FROM note_chunks
WHERE workspace_id = :workspace_id AND note_id = ANY(:note_ids) ORDER BY note_id, position
""")
PASSAGES = text("""
SELECT c.id::text AS id, c.note_id, n.title, c.content
FROM note_chunks c JOIN notes n ON n.id = c.note_id
WHERE c.workspace_id = :workspace_id AND c.id::text = ANY(:ids) ORDER BY c.id
""")


async def next_version(session: AsyncSession, workspace_id: uuid.UUID, name: str) -> int:
    """The number of the dataset's next version; the name is locked until the commit."""
    await session.execute(_LOCK_NAME, {"workspace_id": str(workspace_id), "name": name})
    newest = await session.scalar(
        select(func.max(EvalDataset.version)).where(
            EvalDataset.workspace_id == workspace_id, EvalDataset.name == name
        )
    )
    return (newest or 0) + 1


EVALUATE_CASES = "evaluate_cases"

# A job that was deferred has the reason before the colon of its error.
_RUNS = f"""
SELECT r.*, (SELECT count(*) FROM eval_results e WHERE e.run_id = r.id) AS done,
    w.waits_for, w.waits_until
FROM eval_runs r LEFT JOIN LATERAL (
    SELECT split_part(j.error, ':', 1) AS waits_for, j.run_at AS waits_until
    FROM jobs j
    WHERE r.status IN ({in_list(UNFINISHED_RUNS)}) AND j.workspace_id = r.workspace_id
      AND j.kind = '{EVALUATE_CASES}' AND j.payload ->> 'run_id' = r.id::text
      AND j.status = 'retrying' AND split_part(j.error, ':', 1) IN ({in_list(BUDGET_REASONS)})
    ORDER BY j.run_at LIMIT 1
) w ON true
WHERE r.workspace_id = :workspace_id
"""
_RUN, _ = one_and_page(_RUNS, "r.id")
RUNS = Experiment(
    table=EvalRun,
    one=_RUN,
    total="cases",
    job=EVALUATE_CASES,
    key="run_id",
    noun="run",
    korean=("실행", "실행이"),
    path="/evaluation/runs",
)
_, RUN_PAGE = one_and_page(
    f"{_RUNS} AND (CAST(:dataset_id AS uuid) IS NULL OR r.dataset_id = :dataset_id)", "r.id"
)


async def run_results(
    session: AsyncSession,
    workspace_id: uuid.UUID,
    run_id: uuid.UUID,
    *,
    first: int = 0,
    last: int = MAX_POSITION,
) -> Sequence[EvalResult]:
    """In the order of the cases, those at positions `first` to `last`."""
    return await in_order(
        session, EvalResult, workspace_id, EvalResult.run_id == run_id, first, last
    )


JUDGE_BENCH = "judge_bench"

_BENCHES = """
SELECT b.*, b.items * cardinality(array_remove(b.judges, 'jury')) AS total,
    (SELECT count(*) FROM judge_bench_results r WHERE r.bench_id = b.id) AS done,
    (SELECT count(*) FROM judge_bench_results r WHERE r.bench_id = b.id AND r.error IS NOT NULL)
        AS failed
FROM judge_benches b WHERE b.workspace_id = :workspace_id
"""
# With `done` and `failed` of `total` results.
_BENCH, BENCH_PAGE = one_and_page(_BENCHES, "b.id")
BENCHES = Experiment(
    table=JudgeBench,
    one=_BENCH,
    total="total",
    job=JUDGE_BENCH,
    key="bench_id",
    noun="bench",
    korean=("벤치", "벤치가"),
    path="/evaluation/judge-benches",
)
_BENCH_RESULTS = text("""
SELECT r.position, r.judge, i.ref, i.hallucinated, i.grade, i.cell, i.spans AS human_spans, r.spans,
    r.score, r.scores, r.confidence, r.decided, r.prompt_tokens, r.completion_tokens, r.cost_usd,
    r.latency_ms, r.error, r.made_by
FROM judge_bench_results r
JOIN judge_bench_items i ON i.bench_id = r.bench_id AND i.position = r.position
WHERE r.workspace_id = :workspace_id AND r.bench_id = :bench_id ORDER BY r.position
""")


async def bench_results(
    session: AsyncSession, workspace_id: uuid.UUID, bench_id: uuid.UUID
) -> list[dict[str, Any]]:
    """With the labels of people, in the order of the items."""
    given = {"workspace_id": workspace_id, "bench_id": bench_id}
    return [dict(row) for row in (await session.execute(_BENCH_RESULTS, given)).mappings()]
