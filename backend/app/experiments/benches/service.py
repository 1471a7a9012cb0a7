"""Judge benches: stored from labelled answers, started, read."""

import uuid
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, Literal

from sqlalchemy import RowMapping, insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.experiments import queries
from app.experiments.benches import views
from app.experiments.benches.labelled import MAX_ITEMS, LabelledItem, LabelledItems, sample
from app.experiments.benches.request import STORED, BenchRequest
from app.experiments.benches.sentences import describe_labels
from app.experiments.models import JudgeBench, JudgeBenchItem, JudgeBenchResult
from app.platform.db.owned_queries import page
from app.platform.errors import InvalidRequest
from app.platform.ids import new_id
from app.quality.metrics.inclusion import pick
from app.quality.review import feedback


async def create_bench(
    session: AsyncSession,
    workspace_id: uuid.UUID,
    request: BenchRequest,
    labelled: LabelledItems,
    *,
    source: Literal["file", "feedback"],
) -> uuid.UUID:
    """Stores the answers and the jobs that have them judged; the caller commits. Raises
    InvalidRequest where all answers with feedback were deleted since they were read."""
    items = sample(labelled.items, request.limit, request.seed)
    if source == "feedback":
        given = {"workspace_id": workspace_id, "ids": [item.ref for item in items]}
        there = set(await session.scalars(queries.LOCK_ANSWERS, given))
        items = [item for item in items if item.ref in there]
        if not items:
            raise InvalidRequest.worded("nothing-labelled")
    bench = JudgeBench(
        id=new_id(),
        workspace_id=workspace_id,
        name=request.name,
        source=source,
        judges=list(request.judges),
        threshold=request.threshold,
        judge_spans=request.judge_spans,
        repeats=request.repeats,
        criteria=list(request.criteria),
        available=labelled.available,
        seed=request.seed,
        items=len(items),
        hallucinated=sum(item.hallucinated for item in items),
        rejected=[asdict(line) for line in labelled.bad],
        frame=labelled.frame and labelled.frame.model_dump(),
    )
    session.add(bench)
    await session.flush()
    about: dict[str, Any] = {"workspace_id": workspace_id, "bench_id": bench.id}
    rows = [about | {"position": n} | _columns(item) for n, item in enumerate(items)]
    await session.execute(insert(JudgeBenchItem), rows)
    if STORED in request.judges:
        shown = [about | _shown(n, item, request.threshold) for n, item in enumerate(items)]
        await session.execute(insert(JudgeBenchResult), shown)
    await queries.BENCHES.enqueue(session, workspace_id, bench.id, len(items))
    return bench.id


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
    same = ("ref", "question", "answer", "hallucinated", "grade", "lang", "cell")
    spans = None if item.spans is None else [list(span) for span in item.spans]
    columns = {name: getattr(item, name) for name in same}
    return columns | {"passages": list(item.passages), "spans": spans}


async def bench_detail(
    session: AsyncSession, workspace_id: uuid.UUID, bench_id: uuid.UUID
) -> views.BenchDetail:
    """Raises NotFound, also for one of another workspace."""
    row = await queries.BENCHES.read(session, workspace_id, bench_id)
    frame = row["frame"] and views.BenchFrame.model_validate(row["frame"])
    basis = describe_labels(row["source"], frame, row["items"])
    return views.BenchDetail.model_validate({**_with_counts(row), "basis": basis})


async def bench_view(
    session: AsyncSession, workspace_id: uuid.UUID, bench_id: uuid.UUID
) -> views.BenchView:
    """Without its figures. Raises NotFound."""
    row = await queries.BENCHES.read(session, workspace_id, bench_id)
    return views.BenchView.model_validate(_with_counts(row))


async def bench_page(
    session: AsyncSession, workspace_id: uuid.UUID, *, after: uuid.UUID | None, limit: int
) -> views.BenchPage:
    """Newest first; `after` is the last id of the page before."""
    rows = await page(session, queries.BENCH_PAGE, workspace_id, after=after, limit=limit)
    return views.BenchPage.of(
        [views.BenchRow.model_validate(_with_counts(row)) for row in rows], limit
    )


def _with_counts(row: RowMapping) -> dict[str, Any]:
    rejected: Sequence[Any] = row["rejected"]
    summary = row["summary"] or {"judges": []}
    return {**row, "rejected_lines": len(rejected), "figures": summary["judges"]}


# On the scale of correctness; the middle one is what the product calls doubtful.
GRADES = {"right": 1.0, "partly": 0.65, "wrong": 0.0}


async def labelled_feedback(
    session: AsyncSession, workspace_id: uuid.UUID, request: BenchRequest
) -> LabelledItems:
    """The requested ones that a judge can be asked about; the others are reported by their
    number in the order of ids. Those drawn at random whose labels count, where there are any and
    `request.labels` does not say otherwise. At most MAX_ITEMS are read with their texts. Raises
    InvalidRequest when there are none."""
    cells = [] if request.labels == "all" else await feedback.drawn_cells(session, workspace_id)
    drawn = any(cell.labelled for cell in cells)
    if request.labels == "drawn" and not drawn:
        raise InvalidRequest.worded("no-drawn-labels")
    limit, left_out = request.limit or MAX_ITEMS, 0
    frame, cell_of = None, dict[uuid.UUID, int]()
    if drawn:
        frame, cell_of = _draw(cells, limit, request.seed)
        left_out = sum(len(cell.labelled) for cell in cells) - len(cell_of)
    found = feedback.labelled_grades(session, workspace_id, list(cell_of) if drawn else None)
    grades = [grade async for grade in found]
    good = [grade for grade in grades if grade.judgeable]
    if not good:
        raise InvalidRequest.worded("nothing-labelled")
    if not drawn:
        chosen = sample(good, limit, request.seed)
        good, left_out = chosen, len(good) - len(chosen)
    answers = feedback.labelled_answers(session, workspace_id, [grade.answer_id for grade in good])
    items = [_item(each, cell_of.get(each.answer_id)) async for each in answers]
    bad = [
        views.BadLine(number, f"the answer {grade.answer_id} was not made from notes")
        for number, grade in enumerate(grades, start=1)
        if not grade.judgeable
    ]
    return LabelledItems(items, bad, left_out, frame)


def _draw(
    cells: Sequence[feedback.DrawnCell], limit: int, seed: int
) -> tuple[views.BenchFrame, dict[uuid.UUID, int]]:
    """At most `limit` answers, whatever their labels, so that within a cell all have one chance:
    their frame, and of each its place in the cells of the frame."""
    labelled = [cell.labelled for cell in cells]
    chosen = pick(labelled, [len(ids) for ids in labelled], seed)[:limit]
    labels = Counter(place for place, _ in chosen)
    held = sorted(labels)
    frame = views.BenchFrame(
        answers=sum(cell.answers for cell in cells),
        cells=[
            views.CellSize(answers=cells[place].answers, labels=labels[place]) for place in held
        ],
        strata=sorted({cell.stratum for n, cell in enumerate(cells) if n not in labels}),
    )
    return frame, {id_: held.index(place) for place, id_ in chosen}


def _item(labelled: feedback.LabelledAnswer, cell: int | None) -> LabelledItem:
    # Without a claim called wrong, it is unknown whether people looked at the claims at all.
    return LabelledItem(
        ref=str(labelled.answer_id),
        question=labelled.question,
        passages=tuple(labelled.passages),
        answer=labelled.answer,
        hallucinated=labelled.hallucinated,
        spans=tuple(labelled.spans) or None,
        grade=GRADES[labelled.label],
        cell=cell,
        stored_score=labelled.judge_correctness,
        stored_by=labelled.made_by,
        stored_cost_usd=labelled.cost_usd,
    )
