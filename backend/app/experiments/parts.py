"""Experiments done in parts: their life cycle, budget, columns and report tables."""

import asyncio
import re
import uuid
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from pathlib import Path
from statistics import fmean
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel
from sqlalchemy import Numeric, RowMapping, TextClause
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from app.ai_router.estimate import CallsEstimate
from app.ai_router.jobs import ModelJobContext
from app.judges.criteria.criterion import CriterionScore
from app.platform.db.base import Base, KeyedInWorkspace
from app.platform.db.owned_queries import delete_one, existing, one
from app.platform.db.session import in_workspace
from app.platform.errors import Conflict, NotFound, no_such
from app.platform.jobs.job import (
    Job,
    OwnsParts,
    begin_owner,
    end_owner,
    enqueue_parts,
    side_by_side,
)
from app.platform.jobs.service import cancel_all
from app.platform.jobs.status import RunStatus
from app.verdicts.policy.queries import MustWait, hold_budget, settle
from app.verdicts.status import WaitReason

Results = TypeVar("Results")
# The measurements of a part that are not done yet; each stores its result.
Work = Iterable[Callable[[], Awaitable[None]]]


class Owner(OwnsParts, KeyedInWorkspace):
    """Columns of the table of an experiment."""


@dataclass(frozen=True, slots=True)
class Experiment:
    """A kind of experiment.

    one: statement of one row with `done`, its number of results, of as many as its column `total`
    says. job: the kind of its jobs, whose payloads have its id as `key`. noun: English; korean:
    the same alone and as a subject. path: of the list.
    """

    table: type[Owner]
    one: TextClause
    total: str
    job: str
    key: str
    noun: str
    korean: tuple[str, str]
    path: str

    async def read(
        self, session: AsyncSession, workspace_id: uuid.UUID, id_: uuid.UUID
    ) -> RowMapping:
        """Raises NotFound, also for one of another workspace."""
        return await existing(session, self.one, workspace_id, id_, self._missing())

    async def enqueue(
        self, session: AsyncSession, workspace_id: uuid.UUID, id_: uuid.UUID, items: int
    ) -> None:
        """Adds the jobs for items 0 to `items` - 1; the caller commits."""
        await enqueue_parts(session, workspace_id, self.job, self._payload(id_), items)

    async def cancel(self, session: AsyncSession, workspace_id: uuid.UUID, id_: uuid.UUID) -> None:
        """Ends one that is under way; its results stay. The caller commits. Raises NotFound, and
        Conflict for one that has ended."""
        status = (await self.read(session, workspace_id, id_))["status"]
        if RunStatus(status).final:
            raise Conflict(
                f"The {self.noun} has ended already ({status}); there is nothing to cancel.",
                ko=f"이미 끝난 {self.korean[0]}입니다({status}). 취소할 것이 없습니다.",
                code=f"{self.noun}-ended",
            )
        await cancel_all(session, workspace_id, self.job, self._payload(id_))
        await end_owner(session, self.table, id_, RunStatus.CANCELLED)

    async def delete(self, session: AsyncSession, workspace_id: uuid.UUID, id_: uuid.UUID) -> None:
        """With its items and results; jobs under way end. Raises NotFound."""
        await cancel_all(session, workspace_id, self.job, self._payload(id_))
        if not await delete_one(session, self.table, workspace_id, id_):
            raise self._missing()

    async def run_part(
        self,
        job: Job,
        context: ModelJobContext,
        *,
        load: Callable[[AsyncSession, RowMapping], Awaitable[Work | None]],
        results: Callable[[AsyncSession, uuid.UUID, uuid.UUID], Awaitable[Results]],
        summarise: Callable[[RowMapping, Results], Mapping[str, Any]],
        complete: Callable[[AsyncSession, uuid.UUID, uuid.UUID], Awaitable[None]] | None = None,
    ) -> None:
        """Does one job: a few measurements at a time, and after the last one of the experiment
        its summary.

        load: the measurements of the job's part, None if there is nothing to measure any more;
        called in a transaction. summarise: the columns of the completed row; may block for
        seconds. complete: what else the completion changes, in its transaction, by workspace and
        id. Raises what a measurement raises.
        """
        workspace_id, id_ = job.workspace_id, uuid.UUID(job.payload[self.key])
        async with in_workspace(context.sessions, workspace_id) as session:
            row = await one(session, self.one, workspace_id, id_)
            if row is None or RunStatus(row["status"]).final:
                return
            work = await load(session, row)
        if work is None:
            return
        async with context.writing() as session:
            await begin_owner(session, self.table, id_)
        await side_by_side(work)
        async with in_workspace(context.sessions, workspace_id) as session:
            row = await one(session, self.one, workspace_id, id_)
            if row is None or row["done"] < row[self.total] or RunStatus(row["status"]).final:
                return
            measured = await results(session, workspace_id, id_)
        # No transaction is open while thousands of results are resampled.
        values = await asyncio.to_thread(summarise, row, measured)
        async with context.writing() as session:
            ended = await end_owner(session, self.table, id_, RunStatus.COMPLETED, **values)
            if ended and complete:
                await complete(session, workspace_id, id_)

    def _payload(self, id_: uuid.UUID) -> dict[str, str]:
        return {self.key: str(id_)}

    def _missing(self) -> NotFound:
        return no_such(self.noun, self.korean[1], self.path)


async def add_result(session: AsyncSession, table: type[Base], **values: object) -> None:
    """A second attempt at an item changes nothing."""
    await session.execute(insert(table).values(**values).on_conflict_do_nothing())


def is_last_try(context: ModelJobContext) -> bool:
    """Whether a failure of this job will not be tried again."""
    return context.job.tries + 1 >= context.settings.judge.max_attempts


# Beyond the deadlines of the calls: for the statements.
_SLACK_SECONDS = 60
MAX_PLAIN_CHARS = 300
_SPECIAL = re.compile(r"([\\`*_{}\[\]()#+!|<>~&@-])")

NO_BUDGET: Mapping[WaitReason, str] = {
    WaitReason.BUDGET_SPENT: "The daily budget of the workspace is spent until midnight; raise it,"
    " or try again tomorrow.",
    WaitReason.BUDGET_HELD: "The rest of the daily budget is held by work under way; try again in a"
    " moment.",
    WaitReason.BUDGET_UNPRICED: "The workspace has a daily budget, and a model has no known price;"
    " name another model, or set its price in SEARCHQA_MODEL_PRICES.",
}


class UsageColumns:
    """Columns of what a result took: tokens and US dollars, NULL where not known."""

    prompt_tokens: Mapped[int | None]
    completion_tokens: Mapped[int | None]
    cost_usd: Mapped[Decimal | None] = mapped_column(Numeric(12, 8))


@dataclass(frozen=True, slots=True)
class ItemBudget:
    """Money of the workspace's daily budget for the items of one experiment. answers: whether
    each item also has an answer made, before its judge is asked twice at most."""

    context: ModelJobContext
    work_id: uuid.UUID
    answers: bool = False

    async def hold(self, item: int, max_cost_usd: Decimal | None) -> MustWait | None:
        """Sets aside what an item may cost, before any of it is paid for. None where it may
        begin."""
        if max_cost_usd == 0:
            return None
        settings, workspace_id = self.context.settings, self.context.job.workspace_id
        seconds = 2 * settings.judge.deadline_seconds + _SLACK_SECONDS
        if self.answers:
            seconds += settings.answering.deadline_seconds
        async with self.context.writing() as session:
            return await hold_budget(
                session, workspace_id, self.work_id, item, max_cost_usd, seconds=seconds
            )

    async def settle(self, session: AsyncSession, item: int, cost_usd: Decimal | None) -> None:
        """Counts what the item has cost instead; the caller commits."""
        workspace_id = self.context.job.workspace_id
        await settle(session, workspace_id, self.work_id, item, cost_usd)


class CriterionMean(BaseModel):
    """Of a criterion of the workspace: the mean over the `scored` of the answers that it was for;
    null where none has a score."""

    name: str
    version: int
    mean: float | None
    scored: int
    answers: int


def criteria_column(scores: Sequence[CriterionScore]) -> dict[str, Any] | None:
    """The scores by name as results store them."""
    return {
        each.name: {
            "version": each.version,
            "value": each.value,
            "label": each.label,
            "reasoning": each.reason,
        }
        for each in scores
    } or None


def criterion_means(results: Sequence[Mapping[str, Any]]) -> list[CriterionMean]:
    """results: columns of `criteria_column`, of one version of each criterion."""
    means = []
    for name in sorted({name for each in results for name in each}):
        scores = [each[name] for each in results if name in each]
        values = [score["value"] for score in scores if score["value"] is not None]
        means.append(
            CriterionMean(
                name=name,
                version=scores[0]["version"],
                mean=fmean(values) if values else None,
                scored=len(values),
                answers=len(scores),
            )
        )
    return means


@cache
def texts_beside(module: str) -> Mapping[str, Any]:
    """Texts for readers in both languages. module: the `__file__` of the module beside which, with
    its name, the YAML file lies."""
    texts: Mapping[str, Any] = yaml.safe_load(Path(module).with_suffix(".yaml").read_bytes())
    return texts


def cost_fields(cost: CallsEstimate) -> dict[str, Any]:
    """The fields of an estimate as readers get it."""
    return {
        "calls": cost.calls,
        "prompt_tokens": cost.tokens.prompt,
        "completion_tokens": cost.tokens.completion,
        "cost_usd": None if cost.cost_usd is None else float(cost.cost_usd),
    }


def markdown_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Its lines, behind an empty one. Cells are Markdown."""
    yield ""
    for cells in (header, ["---"] * len(header), *rows):
        yield f"| {' | '.join(cells)} |"


def plain_text(text: str) -> str:
    """One line of Markdown that shows as it is written: no markup, no link and no mention; of a
    long text the beginning."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    cut = line if len(line) <= MAX_PLAIN_CHARS else f"{line[:MAX_PLAIN_CHARS]}…"
    return _SPECIAL.sub(r"\\\1", cut)
