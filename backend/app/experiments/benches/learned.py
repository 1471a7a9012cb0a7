"""What was learned, in the policy: applied where it is better, read, and undone."""

import datetime as dt
import uuid
from dataclasses import replace

from sqlalchemy.ext.asyncio import AsyncSession

from app.experiments import queries
from app.experiments.benches.learning import Learning, StoredLearning
from app.experiments.models import JudgeBench
from app.platform.db.owned_queries import Listed, Page, page, row_of
from app.platform.errors import Conflict
from app.platform.jobs.status import RunStatus
from app.platform.settings import Settings
from app.verdicts.policy.changes import adopt, withdraw
from app.verdicts.policy.service import policy_of


class LearningDetail(Listed, Learning):
    """A bench of `total` verdicts, of which `done` are there, `failed` without a score."""

    status: RunStatus
    total: int
    done: int
    failed: int
    error_message: str | None
    created_at: dt.datetime


class LearningPage(Page[LearningDetail, uuid.UUID]):
    """`next` continues the list; it is null on the last page."""


async def apply_learning(
    settings: Settings, session: AsyncSession, workspace_id: uuid.UUID, id_: uuid.UUID
) -> None:
    """Changes the policy where a completed bench was made to learn and has proven a change to be
    better; the caller commits."""
    bench = await _bench(session, workspace_id, id_)
    if bench is None:
        return
    learning = StoredLearning.model_validate(bench.learning)
    if learning.result is None or learning.guarantee is None:
        return
    prompt = learning.candidate if learning.result.change == "examples" else learning.prompt
    policy = await policy_of(session, workspace_id, settings)
    (version,) = replace(policy, judge_prompt=prompt).versions_of([learning.judge_model])
    learning.guarantee.prompt_version = version
    learning.before = await adopt(
        session,
        workspace_id,
        settings,
        judge_model=learning.judge_model,
        prompt=(learning.prompt, prompt),
        guarantee=learning.guarantee,
    )
    if learning.before is None:
        learning.result.outcome = "policy_changed"
    else:
        learning.applied_at = dt.datetime.now(dt.UTC)
    bench.learning = learning.model_dump(mode="json")


async def _bench(
    session: AsyncSession, workspace_id: uuid.UUID, id_: uuid.UUID
) -> JudgeBench | None:
    """Locked; None where it was not made to learn."""
    bench = await row_of(session, JudgeBench, workspace_id, id_, lock=True)
    return bench if bench and bench.learning is not None else None


async def undo_learning(
    session: AsyncSession, workspace_id: uuid.UUID, id_: uuid.UUID, settings: Settings
) -> LearningDetail:
    """Changes the policy back; the caller commits. Raises NotFound, and Conflict where it was not
    changed, or has been changed since."""
    await learning_detail(session, workspace_id, id_)
    bench = await _bench(session, workspace_id, id_)
    assert bench is not None
    learning = StoredLearning.model_validate(bench.learning)
    guarantee = learning.guarantee
    if learning.before is None or guarantee is None or learning.undone_at:
        raise Conflict.worded("learning-not-applied")
    judge = guarantee.judge_model, guarantee.prompt_version
    await withdraw(session, workspace_id, learning.before, settings, judge=judge)
    learning.undone_at = dt.datetime.now(dt.UTC)
    bench.learning = learning.model_dump(mode="json")
    await session.flush()
    return await learning_detail(session, workspace_id, id_)


async def learning_detail(
    session: AsyncSession, workspace_id: uuid.UUID, id_: uuid.UUID
) -> LearningDetail:
    """Raises NotFound, also for a bench that was not made to learn."""
    row = await queries.LEARNINGS.read(session, workspace_id, id_)
    return LearningDetail.model_validate({**row, **row["learning"]})


async def learning_page(
    session: AsyncSession, workspace_id: uuid.UUID, *, after: uuid.UUID | None, limit: int
) -> LearningPage:
    """Newest first; `after` is the last id of the page before."""
    rows = await page(session, queries.LEARNING_PAGE, workspace_id, after=after, limit=limit)
    found = [LearningDetail.model_validate({**row, **row["learning"]}) for row in rows]
    return LearningPage.of(found, limit)
