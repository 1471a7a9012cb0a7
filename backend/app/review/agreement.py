"""How far a judge agrees with people, and how sure that is."""

import uuid
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from pydantic import BaseModel
from sqlalchemy.ext.asyncio import AsyncSession

from app.judges.search_qa.evaluator import HIGH_CORRECTNESS, MEDIUM_CORRECTNESS
from app.metrics.agreement import kappa_of
from app.metrics.statistics import RESAMPLES, Floats, Interval, percentile_interval
from app.review import queries

# In the order of the grades 0, 1 and 2.
LABELS = ("wrong", "partly", "right")
# Of fewer answers an interval of kappa spans nearly all that kappa can be.
MIN_ANSWERS = 10
# The newest; more would not change the figures but the time they take.
MAX_PAIRS = 10_000


class Pair(NamedTuple):
    """One label of a person beside the judge's, as grades."""

    answer_id: uuid.UUID
    judge: int
    human: int


class Agreement(BaseModel):
    """Linearly weighted kappa of judge and people with its 95 % bootstrap interval.

    pairs: labels compared; answers: answers they are of, which are what is resampled, since
    labels of one answer are not independent. confusion: counts, the judge's label by rows and
    people's by columns, both in the order of `labels`. exact: share of equal labels. kappa is null
    where it cannot be told, and `why` says so.
    """

    pairs: int
    answers: int
    kappa: float | None
    low: float | None
    high: float | None
    exact: float | None
    labels: list[str]
    confusion: list[list[int]]
    why: str | None


class JudgeAgreement(BaseModel):
    """Of whole answers (correctness from .8 is right, from .5 partly) and of single claims
    (supported is right). judge_model is null where it is about the verdicts that count, whichever
    judge gave them."""

    judge_model: str | None
    of_answers: Agreement
    of_claims: Agreement


def agreement(pairs: Sequence[Pair]) -> Agreement:
    """The figures of these pairs. Blocks for up to a second with thousands of answers."""
    tables = _tables(pairs)
    answers = len(tables)
    whole = tables.sum(axis=0)
    kappa, interval, why = None, None, _too_few(answers)
    if why is None:
        kappa = kappa_of(whole, "linear")
        if np.isnan(kappa):
            kappa, why = None, "Judge and people use one and the same label only."
        else:
            interval = _interval(tables)
    return Agreement(
        pairs=len(pairs),
        answers=answers,
        kappa=kappa,
        low=interval.low if interval else None,
        high=interval.high if interval else None,
        exact=float(np.trace(whole)) / len(pairs) if pairs else None,
        labels=list(LABELS),
        confusion=whole.astype(int).tolist(),
        why=why,
    )


def _tables(pairs: Sequence[Pair]) -> Floats:
    """Counts of each answer, the judge's grade by rows and people's by columns."""
    places = {answer_id: n for n, answer_id in enumerate(dict.fromkeys(p.answer_id for p in pairs))}
    tables = np.zeros((len(places), len(LABELS), len(LABELS)))
    for pair in pairs:
        tables[places[pair.answer_id], pair.judge, pair.human] += 1
    return tables


def _interval(tables: Floats) -> Interval | None:
    """Percentile bootstrap over answers. Most answers have one of a few tables, so how often each
    is drawn is drawn at once; that is the same as drawing answer by answer."""
    kinds, counts = np.unique(tables, axis=0, return_counts=True)
    drawn = np.random.default_rng(0).multinomial(len(tables), counts / counts.sum(), size=RESAMPLES)
    resampled = np.tensordot(drawn, kinds, axes=1)
    return percentile_interval([kappa_of(table, "linear") for table in resampled])


def _too_few(answers: int) -> str | None:
    if answers >= MIN_ANSWERS:
        return None
    return (
        f"{answers} labelled and judged answers are too few to tell; label at least"
        f" {MIN_ANSWERS} (`searchqa verdicts review`)."
    )


async def answer_pairs(
    session: AsyncSession, workspace_id: uuid.UUID, judge_model: str | None = None
) -> list[Pair]:
    """The newest MAX_PAIRS of whole answers: one for each answer and author."""
    about = {
        "workspace_id": workspace_id,
        "judge_model": judge_model,
        "high": HIGH_CORRECTNESS,
        "medium": MEDIUM_CORRECTNESS,
        "limit": MAX_PAIRS,
    }
    rows = await session.execute(queries.ANSWER_PAIRS, about)
    return [Pair(row.answer_id, row.judge, row.human) for row in rows]


async def claim_pairs(
    session: AsyncSession, workspace_id: uuid.UUID, judge_model: str | None = None
) -> list[Pair]:
    """The newest MAX_PAIRS of single claims."""
    about = {"workspace_id": workspace_id, "judge_model": judge_model, "limit": MAX_PAIRS}
    rows = await session.execute(queries.CLAIM_PAIRS, about)
    return [Pair(row.answer_id, row.judge, row.human) for row in rows]
