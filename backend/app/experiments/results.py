"""Results of experiments: what a measurement takes and may take, estimates, and report tables."""

import re
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from sqlalchemy import Numeric
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from app.ai_router.estimate import CallsEstimate
from app.ai_router.jobs import ModelJobContext
from app.verdicts.policy.queries import MustWait, hold_budget, settle
from app.verdicts.status import WaitReason

# Beyond the deadlines of the calls: for the statements.
_SLACK_SECONDS = 60
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


def plain_text(text: str, max_chars: int = 300) -> str:
    """One line of Markdown that shows as it is written: no markup, no link and no mention; of a
    long text the beginning."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    cut = line if len(line) <= max_chars else f"{line[:max_chars]}…"
    return _SPECIAL.sub(r"\\\1", cut)
