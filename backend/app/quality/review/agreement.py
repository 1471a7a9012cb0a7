"""Agreement of a judge with people, with its interval."""

import uuid
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from pydantic import BaseModel
from sqlalchemy.ext.asyncio import AsyncSession

from app.judges.answer import HIGH_CORRECTNESS, MEDIUM_CORRECTNESS
from app.quality.metrics.agreement import kappa_of
from app.quality.metrics.statistics import RESAMPLES, Floats, Interval, percentile_interval
from app.quality.review import queries

# In the order of the grades 0, 1 and 2.
LABELS = ("wrong", "partly", "right")
# Of fewer answers an interval of kappa spans nearly all that kappa can be.
MIN_ANSWERS = 10
# The newest; more would not change the figures but the time they take.
MAX_PAIRS = 10_000


# Those with the most answers in common.
MAX_AUTHOR_PAIRS = 50
MAX_DOUBLE_LABELS = 50_000


class Pair(NamedTuple):
    """Two labels of one answer or claim, as grades: the judge's and a person's, or two people's."""

    answer_id: uuid.UUID
    first: int
    second: int


class Agreement(BaseModel):
    """Linearly weighted kappa of two raters with its 95 % bootstrap interval.

    pairs: labels compared; answers: answers they are of, which are what is resampled, since
    labels of one answer are not independent. confusion: counts, the first rater's label (the
    judge's) by rows and the second's by columns, both in the order of `labels`. exact: share of
    equal labels. kappa is null where it cannot be told, and `why` says so.
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


class AuthorPair(BaseModel):
    """Two people, in the order of their names, and the answers that both have labelled."""

    first: str
    second: str
    agreement: Agreement


class PeopleAgreement(BaseModel):
    """How far people agree with each other on whole answers. twice: how many answers have labels by
    two people or more. pairs: who with whom, most answers in common first."""

    twice: int
    pairs: list[AuthorPair]


def agreement(pairs: Sequence[Pair]) -> Agreement:
    """The figures of these pairs. Blocks for up to a second with thousands of answers."""
    tables = _tables(pairs)
    answers = len(tables)
    whole = tables.sum(axis=0)
    kappa, interval, why = None, None, _too_few(answers)
    if why is None:
        kappa = kappa_of(whole, "linear")
        if np.isnan(kappa):
            kappa, why = None, "All labels compared are one and the same."
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
    places = {answer_id: n for n, answer_id in enumerate(dict.fromkeys(p.answer_id for p in pairs))}
    tables = np.zeros((len(places), len(LABELS), len(LABELS)))
    for pair in pairs:
        tables[places[pair.answer_id], pair.first, pair.second] += 1
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
        f"{answers} answers labelled by both are too few; it takes {MIN_ANSWERS}"
        " (the page Labelling)."
    )


def people_agreement(labels: Sequence[tuple[str, str, Pair]]) -> PeopleAgreement:
    """labels: (first, second author, their labels of one answer). Blocks for up to a second for
    each two authors with thousands of answers."""
    shared: dict[tuple[str, str], list[Pair]] = {}
    for first, second, pair in labels:
        shared.setdefault((first, second), []).append(pair)
    most = sorted(shared.items(), key=lambda each: (-len(each[1]), each[0]))[:MAX_AUTHOR_PAIRS]
    return PeopleAgreement(
        twice=len({pair.answer_id for _, _, pair in labels}),
        pairs=[
            AuthorPair(first=first, second=second, agreement=agreement(pairs))
            for (first, second), pairs in most
        ],
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


async def double_labels(
    session: AsyncSession, workspace_id: uuid.UUID
) -> list[tuple[str, str, Pair]]:
    """Of the newest answers: a row for each two authors of one, up to MAX_DOUBLE_LABELS."""
    about = {"workspace_id": workspace_id, "limit": MAX_DOUBLE_LABELS}
    rows = await session.execute(queries.DOUBLE_LABELS, about)
    return [
        (row.first_author, row.second_author, Pair(row.answer_id, row.first, row.second))
        for row in rows
    ]
