"""SQL of refinements and their iterations."""

import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Row, RowMapping, func, select, text, update
from sqlalchemy.dialects.postgresql import insert as upsert
from sqlalchemy.ext.asyncio import AsyncSession

from app.answering.models import Refinement, RefinementIteration
from app.platform.db.owned_queries import one_and_page
from app.platform.db.statements import SqlFile

_SQL = SqlFile(__package__, "queries")
_ANSWER = text(_SQL("answer"))
_SOURCES = text(_SQL("sources"))
_VIEW = _SQL("view")
VIEW, _ = one_and_page(_VIEW, "r.id")
_VIEWS_OF = text(f"{_VIEW} AND r.evaluation_id = :evaluation_id ORDER BY r.id DESC LIMIT 50")


async def answer_of(
    session: AsyncSession, workspace_id: uuid.UUID, evaluation_id: uuid.UUID
) -> Row[Any] | None:
    """The evaluation's answer as it was given; None if the workspace has no such evaluation."""
    given = {"workspace_id": workspace_id, "evaluation_id": evaluation_id}
    return (await session.execute(_ANSWER, given)).one_or_none()


async def sources_of(
    session: AsyncSession, workspace_id: uuid.UUID, answer_id: uuid.UUID
) -> Sequence[Row[Any]]:
    given = {"workspace_id": workspace_id, "answer_id": answer_id}
    return (await session.execute(_SOURCES, given)).all()


async def add(session: AsyncSession, **values: object) -> None:
    """Nothing when it is there already: its job was enqueued before."""
    await session.execute(upsert(Refinement).values(**values).on_conflict_do_nothing())


async def one(
    session: AsyncSession, workspace_id: uuid.UUID, refinement_id: uuid.UUID
) -> Refinement | None:
    return await session.scalar(
        select(Refinement).where(
            Refinement.workspace_id == workspace_id, Refinement.id == refinement_id
        )
    )


async def iterations(
    session: AsyncSession, workspace_id: uuid.UUID, refinement_ids: Sequence[uuid.UUID]
) -> Sequence[RefinementIteration]:
    """Of these refinements, in order."""
    found = await session.scalars(
        select(RefinementIteration)
        .where(
            RefinementIteration.workspace_id == workspace_id,
            RefinementIteration.refinement_id.in_(refinement_ids),
        )
        .order_by(RefinementIteration.refinement_id, RefinementIteration.position)
    )
    return found.all()


async def save_iteration(session: AsyncSession, row: Mapping[str, Any]) -> None:
    """Adds the iteration, or fills in what it has got since; what it took adds up."""
    key = ["refinement_id", "position"]
    new = {name: value for name, value in row.items() if name not in key}
    for name in ("calls", "prompt_tokens", "completion_tokens", "cost_usd"):
        before = getattr(RefinementIteration, name)
        if new.pop(name) is not None:
            new[name] = func.coalesce(before, 0) + row[name]
    await session.execute(
        upsert(RefinementIteration).values(row).on_conflict_do_update(index_elements=key, set_=new)
    )


async def finish(session: AsyncSession, refinement_id: uuid.UUID, **values: object) -> None:
    await session.execute(
        update(Refinement)
        .where(Refinement.id == refinement_id)
        .values(finished_at=func.now(), **values)
    )


async def views_of(
    session: AsyncSession, workspace_id: uuid.UUID, evaluation_id: uuid.UUID
) -> Sequence[RowMapping]:
    """Newest first."""
    given = {"workspace_id": workspace_id, "evaluation_id": evaluation_id}
    return (await session.execute(_VIEWS_OF, given)).mappings().all()


_RELEVANT_NOTES = text(_SQL("relevant_notes"))


async def relevant_notes(
    session: AsyncSession, workspace_id: uuid.UUID, question: str
) -> frozenset[str]:
    """Ids of the notes that answer the question by the datasets of the workspace; none where no
    dataset has it."""
    given = {"workspace_id": workspace_id, "question": question}
    return frozenset((await session.scalars(_RELEVANT_NOTES, given)).all())
