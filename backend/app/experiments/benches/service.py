"""Judge benches: stored, started, cancelled, read."""

import uuid
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, Literal

from sqlalchemy import RowMapping
from sqlalchemy.ext.asyncio import AsyncSession

from app.experiments.benches import queries
from app.experiments.benches.labelled import LabelledItem, LabelledItems
from app.experiments.benches.request import STORED, BenchRequest
from app.experiments.benches.sentences import basis_of
from app.experiments.benches.views import BenchDetail, BenchPage, BenchRow, BenchView
from app.platform.db.owned_queries import page
from app.platform.ids import new_id


async def create_bench(
    session: AsyncSession,
    workspace_id: uuid.UUID,
    request: BenchRequest,
    labelled: LabelledItems,
    *,
    source: Literal["file", "feedback"],
) -> uuid.UUID:
    """Stores the answers and the jobs that have them judged; the caller commits."""
    bench_id = new_id()
    items = request.drawn(labelled.items)
    bench = {
        "id": bench_id,
        "workspace_id": workspace_id,
        "name": request.name,
        "source": source,
        "judges": list(request.judges),
        "threshold": request.threshold,
        "judge_spans": request.judge_spans,
        "available": labelled.available,
        "seed": request.seed,
        "items": len(items),
        "hallucinated": sum(item.hallucinated for item in items),
        "rejected": [asdict(line) for line in labelled.bad],
        "frame": labelled.frame and labelled.frame.model_dump(),
    }
    about: dict[str, Any] = {"workspace_id": workspace_id, "bench_id": bench_id}
    rows = [about | {"position": n} | _columns(item) for n, item in enumerate(items)]
    await queries.add_bench(session, bench, rows)
    if STORED in request.judges:
        shown = [about | _shown(n, item, request.threshold) for n, item in enumerate(items)]
        await queries.add_results(session, shown)
    await queries.BENCHES.enqueue(session, workspace_id, bench_id, len(items))
    return bench_id


def _shown(position: int, item: LabelledItem, threshold: float) -> dict[str, Any]:
    """The verdict that readers got, as the result of a judge."""
    score = item.stored_score
    return {
        "position": position,
        "judge": STORED,
        "hallucinated": item.hallucinated,
        "score": score,
        "predicted": None if score is None else score < threshold,
        "error": "missing: the answer has no verdict that counts" if score is None else None,
        "made_by": item.stored_by,
        "cost_usd": item.stored_cost_usd,
    }


def _columns(item: LabelledItem) -> dict[str, Any]:
    return {
        "ref": item.ref,
        "question": item.question,
        "passages": list(item.passages),
        "answer": item.answer,
        "hallucinated": item.hallucinated,
        "grade": item.grade,
        "spans": None if item.spans is None else [list(span) for span in item.spans],
        "lang": item.lang,
        "cell": item.cell,
    }


async def bench_detail(
    session: AsyncSession, workspace_id: uuid.UUID, bench_id: uuid.UUID
) -> BenchDetail:
    """Raises NotFound, also for one of another workspace."""
    row = await queries.BENCHES.read(session, workspace_id, bench_id)
    bench = BenchView.model_validate(_with_counts(row))
    told = basis_of(bench.source, bench.frame, bench.items)
    return BenchDetail.model_validate({**_with_counts(row), "basis": told})


async def bench_view(
    session: AsyncSession, workspace_id: uuid.UUID, bench_id: uuid.UUID
) -> BenchView:
    """Without its figures. Raises NotFound."""
    row = await queries.BENCHES.read(session, workspace_id, bench_id)
    return BenchView.model_validate(_with_counts(row))


async def bench_page(
    session: AsyncSession, workspace_id: uuid.UUID, *, after: uuid.UUID | None, limit: int
) -> BenchPage:
    """Newest first; `after` is the last id of the page before."""
    rows = await page(session, queries.BENCH_PAGE, workspace_id, after=after, limit=limit)
    return BenchPage.of(
        [BenchRow.model_validate(_with_counts(row)) for row in rows], limit, lambda row: row.id
    )


def _with_counts(row: RowMapping) -> dict[str, Any]:
    rejected: Sequence[Any] = row["rejected"]
    summary = row["summary"] or {"judges": []}
    return {**row, "rejected_lines": len(rejected), "figures": summary["judges"]}
