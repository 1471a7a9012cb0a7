"""Judging answers by another judge or prompt: counted, priced, started, stopped.

They have a verdict already, or wait for a paused judge which the policy no longer names.
"""

import json
import uuid
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from math import ceil
from typing import Any

from pydantic import BaseModel
from sqlalchemy import Row
from sqlalchemy.ext.asyncio import AsyncSession

from app.ai_router.estimate import BYTES_PER_CHAR, CallsEstimate, PricedModel
from app.judges.answer_parts import parts_needed
from app.judges.criteria.criterion import with_criteria
from app.judges.estimate import TextBytes, estimate_calls, verdict_calls
from app.judges.judge_names import RULES_MODEL, takes_batches, takes_prompts
from app.platform.db.pool import Pool
from app.platform.errors import Conflict, no_such
from app.platform.ids import new_id
from app.platform.jobs.service import enqueue
from app.platform.settings import Settings
from app.quality.rejudging import queries
from app.quality.rejudging.queries import Judge, RejudgeFilter
from app.text.language import lang_of
from app.verdicts.judging.judging import RECENT_SECONDS
from app.verdicts.lifecycle import parking
from app.verdicts.policy.evaluation_policy import EvaluationPolicy
from app.verdicts.policy.judge_prices import JudgePrices
from app.verdicts.status import Status

REJUDGE_JOB = "rejudge"
_WITHDRAWN_AT_ONCE = 2_000
# How many answers stand for all of them when their lengths are measured.
_SAMPLE = 1_000

# So many answers that wait are counted, and given to another judge at once.
MAX_WAITING = 10_000
# At once; the next round takes the next ones, and fresh answers go before all of them.
BATCH = 200
# Those of RECHECK.
_COLUMNS = (
    *("answer_id", "judge_key", "evaluators", "judge_model", "judge_prompt"),
    "fallback_because",
)


@dataclass(frozen=True, slots=True)
class Estimate:
    """Of `answers` with a verdict in the workspace `matching` fit the filter: `to_judge` are to be
    judged, `judged` have a verdict of this judge already or soon, `not_judged` are never judged,
    because they were not made from notes. The cost is that of a sample where there are many.
    batch_cost_usd: what it would be in batches, None where the judge has none or no known price."""

    answers: int
    matching: int
    to_judge: int
    judged: int
    not_judged: int
    cost: CallsEstimate
    batch_cost_usd: Decimal | None


async def estimate(
    session: AsyncSession,
    workspace_id: uuid.UUID,
    which: RejudgeFilter,
    judge: Judge,
    settings: Settings,
) -> Estimate:
    """Counts and prices the work of `start`. Changes nothing."""
    given = {"workspace_id": workspace_id} | which.parameters()
    asking = queries.BY_ANSWER if which.of_answers else queries.BY_VERDICT
    counts = (await session.execute(asking.counts, given)).all()
    matching = {tuple(row.evaluators): row.matching for row in counts if row.matching}
    judgeable = [kind for kind in matching if kind]
    keys = [{"evaluators": kind, "judge_key": judge.key(kind)} for kind in judgeable]
    given |= {"keys": json.dumps(keys), "judge_keys": [key["judge_key"] for key in keys]}
    judged = {
        tuple(row.evaluators): row.answers for row in await session.execute(asking.judged, given)
    }
    left = {kind: matching[kind] - judged.get(kind, 0) for kind in judgeable}
    to_judge = sum(left.values())
    given |= {"share": 65_536 * _SAMPLE // max(_SAMPLE, to_judge), "sample": _SAMPLE}
    sampled = [dict(row) for row in (await session.execute(asking.sample, given)).mappings()]
    cost = estimated_cost(sampled, left, judge, settings)
    return Estimate(
        answers=sum(row.answers for row in counts),
        matching=sum(matching.values()),
        to_judge=to_judge,
        judged=sum(judged.values()),
        not_judged=matching.get((), 0),
        cost=cost,
        batch_cost_usd=cost.batch_cost_usd if takes_batches(judge.model) else None,
    )


def estimated_cost(
    sampled: Sequence[Mapping[str, Any]],
    left: Mapping[tuple[str, ...], int],
    judge: Judge,
    settings: Settings,
) -> CallsEstimate:
    """The rows of the sample stand for `left` answers, by their evaluators. Rules and
    detectors take no call."""
    if not takes_prompts(judge.model):
        return CallsEstimate()
    model = PricedModel.from_name(judge.model, settings)
    seen: Counter[tuple[str, ...]] = Counter()
    for row in sampled:
        seen[tuple(row["evaluators"])] += row["answers"]
    total = CallsEstimate()
    for row in sampled:
        kind = tuple(row["evaluators"])
        lang = lang_of(row["lang"])
        parts = parts_needed(ceil(row["answer"] / BYTES_PER_CHAR[lang]))
        texts = TextBytes(row["question"], row["answer"], row["notes"], parts)
        answers = round(row["answers"] * left[kind] / seen[kind])
        wanted = with_criteria(kind, judge.criteria)
        total += estimate_calls(
            verdict_calls(wanted, lang, judge.own or judge.prompt), texts, model, answers
        )
    return total


async def start(
    session: AsyncSession,
    workspace_id: uuid.UUID,
    which: RejudgeFilter,
    judge: Judge,
    settings: Settings,
    *,
    everything: bool,
) -> uuid.UUID:
    """Puts the job in; the caller commits. everything: the filter may match all answers, as those
    that are chosen one by one may in any case.

    Raises Conflict when there is nothing to judge, or everything without `everything`.
    """
    expected = await estimate(session, workspace_id, which, judge, settings)
    if not expected.to_judge and expected.judged:
        raise Conflict.worded("all-judged-already", answers=expected.judged, judge=judge.named)
    if not expected.to_judge:
        raise Conflict.worded("nothing-matches")
    asked_for = everything or which.evaluation_ids
    if expected.matching == expected.answers and not asked_for:
        raise Conflict.worded("matches-everything", answers=expected.answers)
    payload = {
        "filter": which.until_now().model_dump(mode="json", exclude_none=True),
        "judge_model": judge.model,
        "judge_prompt": judge.prompt,
        "criteria": judge.criteria,
        "answers": expected.to_judge,
    }
    return await enqueue(session, workspace_id, REJUDGE_JOB, payload)


class NewJudgement(BaseModel):
    """The second evaluation of an answer."""

    id: uuid.UUID
    answer_id: uuid.UUID
    status: Status
    reason: str | None


async def rejudge_one(
    session: AsyncSession,
    workspace_id: uuid.UUID,
    evaluation_id: uuid.UUID,
    judge: Judge,
    prices: JudgePrices,
) -> NewJudgement:
    """Has the answer of an evaluation judged again; the caller commits. Raises NotFound, and
    Conflict where that cannot be."""
    given = {"workspace_id": workspace_id, "id": evaluation_id}
    row = (await session.execute(queries.ONE, given)).one_or_none()
    if row is None:
        raise no_such("evaluation", "평가가", "/qa-evaluations")
    if not row.evaluators:
        raise Conflict.worded("nothing-to-judge-by")
    if not Status(row.status).final:
        raise Conflict.worded("judging-under-way", status=row.status)
    added = await add(session, [judge.row(row.answer_id, row.evaluators)], prices)
    if not added:
        raise Conflict.worded("answer-judged-already", judge=judge.named)
    return added[0]


async def add(
    session: AsyncSession, rows: Iterable[Mapping[str, Any]], prices: JudgePrices
) -> list[NewJudgement]:
    """Puts rows of `Judge.row` in, for the bulk queue. Those that the judge has done already or
    is at are left out."""
    given = {"rows": json.dumps(with_costs(rows, prices))}
    added = await session.execute(parking.REJUDGE, given)
    return [
        NewJudgement(id=row.id, answer_id=row.answer_id, status=Status.QUEUED, reason=row.reason)
        for row in added
    ]


def with_costs(rows: Iterable[Mapping[str, Any]], prices: JudgePrices) -> list[dict[str, Any]]:
    """With the rates that the daily budget needs of each (JudgePrices.rates), and whether it may be
    judged in a batch."""
    priced = []
    for row in rows:
        rates = prices.rates(row["judge_model"], row["evaluators"], row["judge_prompt"])
        fixed, a_byte = map(str, rates) if rates else (None, None)
        can_batch = takes_batches(row["judge_model"])
        priced.append({**row, "cost_usd": fixed, "cost_usd_a_byte": a_byte, "can_batch": can_batch})
    return priced


async def withdraw(session: AsyncSession, workspace_id: uuid.UUID, job_id: uuid.UUID) -> None:
    """Has what a cancelled job has put in, and what no judge has begun or is to begin again, not
    judged after all. Nothing for other jobs."""
    given = {"workspace_id": workspace_id, "job_id": job_id, "limit": _WITHDRAWN_AT_ONCE}
    while await session.scalar(parking.WITHDRAW, given) == _WITHDRAWN_AT_ONCE:
        pass


async def recheck(pool: Pool, prices: JudgePrices, *, judge_model: str, pause: float) -> int:
    """Enqueues the second judgement of degraded verdicts of whose judges one has served a call
    since, or of one of them after `pause` seconds without a call to the judge. judge_model:
    the server's, for workspaces that name none. Returns how many. Raises psycopg.Error."""
    given = {"limit": BATCH, "pause": pause, "lately": RECENT_SECONDS, "judge_model": judge_model}
    given["rules"] = RULES_MODEL
    async with pool.connection() as connection, connection.transaction():
        taking = await connection.execute(parking.RECHECK, given)
        rows = [
            {"id": str(new_id())} | dict(zip(_COLUMNS, [str(answer_id), *others], strict=True))
            for answer_id, *others in await taking.fetchall()
        ]
        if not rows:
            return 0
        priced = json.dumps(with_costs(rows, prices))
        added = await connection.execute(parking.REJUDGE_CHECKED, {"rows": priced})
        return added.rowcount


@dataclass(frozen=True, slots=True)
class Waiting:
    """Answers of a workspace without a verdict, each at most MAX_WAITING. stranded: those whose
    judge is paused and none of the policy's."""

    answers: int
    stranded: int


async def count_waiting(
    session: AsyncSession, workspace_id: uuid.UUID, policy: EvaluationPolicy
) -> Waiting:
    """Those that wait now."""
    given = {"workspace_id": workspace_id, "judges": list(policy.judges), "limit": MAX_WAITING}
    row = (await session.execute(parking.COUNT_WAITING, given)).one()
    return Waiting(row.answers, row.stranded)


async def reassign(
    session: AsyncSession, workspace_id: uuid.UUID, policy: EvaluationPolicy, judge: Judge
) -> int:
    """Gives the stranded ones, at most MAX_WAITING, to `judge`; the caller commits. Returns how
    many."""
    given = {"workspace_id": workspace_id, "judges": list(policy.judges), "limit": MAX_WAITING}
    found: list[Row[Any]] = list(await session.execute(parking.STRANDED, given))
    rows = with_costs((judge.row(row.answer_id, row.evaluators) for row in found), policy.prices)
    stopped = sorted({row.judge_model for row in found})
    moved = {"workspace_id": workspace_id, "rows": json.dumps(rows), "stopped": stopped}
    return await session.scalar(parking.REASSIGN, moved) or 0
