"""Versions of a workspace's criteria: added, listed, archived; and shipped examples."""

import datetime as dt
import json
import uuid
from collections.abc import Sequence
from dataclasses import asdict, replace
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import BaseModel
from sqlalchemy import insert, text
from sqlalchemy.ext.asyncio import AsyncSession

from app.ai_router.types import Lang
from app.judges.criteria.criterion import Criterion, Kind
from app.judges.models import JudgeCriterion
from app.platform.db.owned_queries import Listed, Page, existing, one_and_page, page
from app.platform.db.statements import SqlFile
from app.platform.errors import Conflict, no_such
from app.platform.ids import new_id

_SQL = SqlFile("app.judges", "criteria")
_CRITERION, _CRITERION_PAGE = one_and_page(_SQL("criteria"), "c.id")
_, _IN_FORCE_PAGE = one_and_page(f"{_SQL('criteria')} AND {_SQL('in_force')}", "c.id")
_DEFINITIONS = text(_SQL("definitions"))
_LATEST_CRITERION = text(_SQL("latest_criterion"))
_REVIVE = text(_SQL("revive"))
_ARCHIVE = text(_SQL("archive"))

JsonSchema = dict[str, Any]


class CriterionExample(BaseModel):
    """A criterion to begin with. Fields as those of CriterionVersion."""

    name: str
    question: str
    kind: Kind
    scale: list[str]


class CriterionVersion(Listed):
    """A version of a criterion. reference: how the evaluators of a verdict name it. question: what
    is asked of an answer. kind: who decides: the judge's model, or a rule. scale: words, the lowest
    first; empty for a number from 0 to 1, or for a rule, 0 or 1. features, languages: of the
    answers that it is for, null for all. in_force: whether new verdicts have it. archived_at: since
    when no version of the name is; null otherwise."""

    name: str
    version: int
    reference: str
    question: str
    kind: Kind
    scale: list[str]
    pattern: str | None
    json_schema: JsonSchema | None
    min_chars: int | None
    max_chars: int | None
    features: list[str] | None
    languages: list[Lang] | None
    note: str
    made_by: str
    in_force: bool
    created_at: dt.datetime
    archived_at: dt.datetime | None


class CriterionPage(Page[CriterionVersion, uuid.UUID]):
    """`next` continues the list; it is null on the last page."""


@cache
def examples(lang: Lang) -> list[CriterionExample]:
    """Those that come with the program."""
    shipped = json.loads(Path(__file__).with_name("examples.json").read_text("utf-8"))
    return [CriterionExample.model_validate(each) for each in shipped[lang]]


async def definitions(
    session: AsyncSession, workspace_id: uuid.UUID, references: Sequence[str]
) -> tuple[Criterion, ...]:
    """Those that references name, in their order."""
    given = {"workspace_id": workspace_id, "references": list(references)}
    rows = (await session.execute(_DEFINITIONS, given)).mappings()
    return tuple(Criterion.from_json(dict(row)) for row in rows)


async def add_version(
    session: AsyncSession, workspace_id: uuid.UUID, new: Criterion, *, note: str, made_by: str
) -> CriterionVersion:
    """Stores `new`, a checked one, as the next version of its name, whatever its own; the caller
    has the policy locked, and commits. Raises Conflict where nothing differs from the version
    before."""
    named = {"workspace_id": workspace_id, "name": new.name}
    latest = (await session.execute(_LATEST_CRITERION, named)).mappings().one_or_none()
    if latest is not None:
        before = Criterion.from_json(dict(latest))
        if replace(new, version=before.version) == before and latest["archived_at"] is None:
            raise Conflict.worded("same-criterion", name=new.name, version=before.version)
        new = replace(new, version=before.version + 1)
        await session.execute(_REVIVE, named)
    values = asdict(new) | {
        "id": new_id(),
        "reference": new.reference,
        "workspace_id": workspace_id,
        "note": note,
        "made_by": made_by,
    }
    id_ = await session.scalar(insert(JudgeCriterion).values(**values).returning(JudgeCriterion.id))
    assert id_ is not None
    return await criterion_view(session, workspace_id, id_)


async def archive(session: AsyncSession, workspace_id: uuid.UUID, name: str) -> None:
    """All versions of the name; the caller commits."""
    await session.execute(_ARCHIVE, {"workspace_id": workspace_id, "name": name})


async def criterion_view(
    session: AsyncSession, workspace_id: uuid.UUID, criterion_id: uuid.UUID
) -> CriterionVersion:
    """Raises NotFound, also for one of another workspace."""
    missing = no_such("criterion", "평가 기준이", "/criteria")
    row = await existing(session, _CRITERION, workspace_id, criterion_id, missing)
    return _view(dict(row))


async def criterion_page(
    session: AsyncSession,
    workspace_id: uuid.UUID,
    *,
    in_force: bool,
    after: uuid.UUID | None,
    limit: int,
) -> CriterionPage:
    """Newest first; `after` is the last id of the page before. in_force: only those that are."""
    statement = _IN_FORCE_PAGE if in_force else _CRITERION_PAGE
    rows = await page(session, statement, workspace_id, after=after, limit=limit)
    return CriterionPage.of([_view(dict(row)) for row in rows], limit)


def _view(row: dict[str, Any]) -> CriterionVersion:
    schema = row["json_schema"]
    return CriterionVersion.model_validate(row | {"json_schema": schema and json.loads(schema)})
