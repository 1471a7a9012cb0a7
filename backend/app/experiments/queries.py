"""SQL of datasets, runs, benches, trials and successions, and what they are as experiments."""

import uuid
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import exists, func, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from app.experiments.models import (
    EvalDataset,
    EvalResult,
    EvalRun,
    EvalTestCase,
    JudgeBench,
    JudgeSuccession,
)
from app.experiments.parts import Experiment
from app.platform.db.owned_queries import MAX_POSITION, in_order, one_and_page
from app.platform.db.statements import SqlFile, in_list
from app.platform.jobs.status import UNFINISHED_RUNS
from app.verdicts.status import BUDGET_REASONS, Status

EVALUATE_CASES = "evaluate_cases"
JUDGE_BENCH = "judge_bench"
JUDGE_SUCCESSION = "judge_succession"
_JUDGED = (Status.SUCCEEDED, Status.FAILED)

_SQL = SqlFile(
    __package__,
    "queries",
    unfinished=in_list(UNFINISHED_RUNS),
    evaluate_cases=EVALUATE_CASES,
    budget_reasons=in_list(BUDGET_REASONS),
    # By a judge, who may have failed.
    judged=f"'search_qa' = ANY(evaluators) AND status IN ({in_list(_JUDGED)})",
)
_LOCK_NAME = text(_SQL("lock_name"))
DATASET, DATASET_PAGE = one_and_page(_SQL("datasets"), "d.id")
EXISTING_CHUNKS = text(_SQL("existing_chunks"))
CHUNKS = text(_SQL("chunks"))
CHUNKS_OF_NOTES = text(_SQL("chunks_of_notes"))
PASSAGES = text(_SQL("passages"))
LEFT_OF_CASES = text(_SQL("left_of_cases"))
CASE_STATES = text(_SQL("case_states"))
ANSWER_OF_CASE = text(_SQL("answer_of_case"))
LOCK_ANSWERS = text(_SQL("lock_answers"))
TRIAL, _ = one_and_page(_SQL("trials"), "t.id")
TRIALS_OF_EVALUATION = text(_SQL("trials_of_evaluation"))
TRIAL_ANSWER = text(_SQL("trial_answer"))
GUARANTEES = text(_SQL("guarantees"))
COUNT_OLD_TRIALS = _SQL("count_old_trials").encode()
DELETE_OLD_TRIALS = _SQL("delete_old_trials").encode()


async def next_version(session: AsyncSession, workspace_id: uuid.UUID, name: str) -> int:
    """The number of the dataset's next version; the name is locked until the commit."""
    await session.execute(_LOCK_NAME, {"workspace_id": str(workspace_id), "name": name})
    newest = await session.scalar(
        select(func.max(EvalDataset.version)).where(
            EvalDataset.workspace_id == workspace_id, EvalDataset.name == name
        )
    )
    return (newest or 0) + 1


async def lock_newest(
    session: AsyncSession, workspace_id: uuid.UUID, name: str
) -> EvalDataset | None:
    """The newest version, in which no run can begin until the commit; the name is locked, too."""
    await session.execute(_LOCK_NAME, {"workspace_id": str(workspace_id), "name": name})
    newest: EvalDataset | None = await session.scalar(
        select(EvalDataset)
        .where(EvalDataset.workspace_id == workspace_id, EvalDataset.name == name)
        .order_by(EvalDataset.version.desc())
        .limit(1)
        .with_for_update()
    )
    return newest


async def keep_from_growing(
    session: AsyncSession, workspace_id: uuid.UUID, dataset_id: uuid.UUID
) -> None:
    """Until the commit."""
    of_id = EvalDataset.workspace_id == workspace_id, EvalDataset.id == dataset_id
    await session.execute(select(EvalDataset.id).where(*of_id).with_for_update(read=True))


async def has_runs(session: AsyncSession, workspace_id: uuid.UUID, dataset_id: uuid.UUID) -> bool:
    of_dataset = EvalRun.workspace_id == workspace_id, EvalRun.dataset_id == dataset_id
    return bool(await session.scalar(select(exists().where(*of_dataset))))


async def last_answered_into(session: AsyncSession, workspace_id: uuid.UUID) -> str | None:
    """The name of the dataset that an answer was put into last."""
    name: str | None = await session.scalar(
        select(EvalDataset.name)
        .join(EvalTestCase, EvalTestCase.dataset_id == EvalDataset.id)
        .where(EvalDataset.workspace_id == workspace_id, EvalTestCase.source.is_not(None))
        .order_by(EvalTestCase.id.desc())
        .limit(1)
    )
    return name


_RUN, _ = one_and_page(_SQL("runs"), "r.id")
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
    f"{_SQL('runs')} AND (CAST(:dataset_id AS uuid) IS NULL OR r.dataset_id = :dataset_id)"
    " AND (CAST(:name AS text) IS NULL OR r.name = :name)",
    "r.id",
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


# With `done` and `failed` of `total` results.
_BENCH, BENCH_PAGE = one_and_page(_SQL("benches"), "b.id")
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
_LEARNING, LEARNING_PAGE = one_and_page(f"{_SQL('benches')} AND b.learning IS NOT NULL", "b.id")
LEARNINGS = replace(
    BENCHES,
    one=_LEARNING,
    noun="learning",
    korean=("학습", "학습이"),
    path="/settings/evaluation/learning",
)
_BENCH_RESULTS = text(_SQL("bench_results"))


async def bench_results(
    session: AsyncSession, workspace_id: uuid.UUID, bench_id: uuid.UUID
) -> list[dict[str, Any]]:
    """With the labels of people, in the order of the items."""
    given = {"workspace_id": workspace_id, "bench_id": bench_id}
    return [dict(row) for row in (await session.execute(_BENCH_RESULTS, given)).mappings()]


_SUCCESSION, SUCCESSION_PAGE = one_and_page(_SQL("successions"), "s.id")
SUCCESSIONS = Experiment(
    table=JudgeSuccession,
    one=_SUCCESSION,
    total="total",
    job=JUDGE_SUCCESSION,
    key="succession_id",
    noun="succession",
    korean=("후임 비교", "후임 비교가"),
    path="/judges/successions",
)
SUCCESSION_SAMPLE = text(_SQL("succession_sample"))
SUCCESSION_RESULTS = text(_SQL("succession_results"))
