"""Findings of a completed run for pages: bands, patterns, diagnosis, cases worst first."""

import uuid
from collections import Counter

from pydantic import BaseModel
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from app.ai_router.types import Lang
from app.experiments import queries
from app.experiments.datasets.cases import CaseNote
from app.experiments.models import EvalResult, EvalTestCase
from app.experiments.runs.diagnosis import (
    Band,
    Diagnosis,
    GenerationMetric,
    Pattern,
    band,
    diagnose,
    meaning,
    pattern,
    worst_first,
)
from app.experiments.runs.likeness import figure, state_of
from app.experiments.runs.service import run_view
from app.platform.errors import NotFound
from app.verdicts.reading.state import AnswerState


class BandRead(BaseModel):
    """The band of a mean, its name, and what it says in one sentence."""

    metric: GenerationMetric
    score: float
    band: Band
    grade: str
    meaning: str


class AdviceRead(BaseModel):
    """What is seen, why it may be so, and what to do, in this order."""

    title: str
    symptom: str
    cause: str
    actions: list[str]


class PatternRead(AdviceRead):
    """`cases`: answers of this pattern; `of_means`: whether the means of the run make it."""

    pattern: Pattern
    cases: int
    of_means: bool


class DiagnosisRead(AdviceRead):
    diagnosis: Diagnosis


class CaseReading(BaseModel):
    """Scores of a case that say something: null where the judge gave no usable reply, or rules
    could not tell. state: what they come to for whoever reads the answer."""

    test_case_id: uuid.UUID
    state: AnswerState | None
    faithfulness: float | None
    answer_relevancy: float | None
    pattern: Pattern | None


class RunFindings(BaseModel):
    """`bands` and `patterns` are empty, `diagnosis` null, where no reply of the judge was usable
    or nothing was generated. `cases`: worst first."""

    bands: list[BandRead]
    patterns: list[PatternRead]
    diagnosis: DiagnosisRead | None
    cases: list[CaseReading]


class FoundPassage(BaseModel):
    """`rank`: its place in what the answer was given, from 1, or null where the search missed it;
    `answers`: whether it is one of those that answer the question. note_id: null for a note of
    another application."""

    id: str
    note_id: uuid.UUID | None
    title: str
    content: str
    rank: int | None
    answers: bool


async def run_findings(
    session: AsyncSession, workspace_id: uuid.UUID, run_id: uuid.UUID, lang: Lang
) -> RunFindings:
    """Raises NotFound, also for a run of another workspace."""
    run = await run_view(session, workspace_id, run_id)
    results = await queries.run_results(session, workspace_id, run_id)
    cases = [case for _, case in sorted(map(_read, results), key=lambda read: read[0])]
    generation = run.summary.generation if run.summary else None
    if generation is None or not (
        generation.faithfulness.is_quality and generation.answer_relevancy.is_quality
    ):
        return RunFindings(bands=[], patterns=[], diagnosis=None, cases=cases)
    scores = generation.mean_faithfulness, generation.mean_answer_relevancy
    found = None if run.metrics is None else diagnose(run.metrics.recall_at_k, *scores)
    return RunFindings(
        bands=[
            BandRead(
                metric=metric,
                score=score,
                band=band(score),
                grade=band(score).grade[lang],
                meaning=meaning(metric, score, lang),
            )
            for metric, score in zip(GenerationMetric, scores, strict=True)
        ],
        patterns=_patterns(cases, pattern(*scores), lang),
        diagnosis=found and DiagnosisRead(diagnosis=found, **found.advice.texts(lang)),
        cases=cases,
    )


async def case_passages(
    session: AsyncSession, workspace_id: uuid.UUID, run_id: uuid.UUID, test_case_id: uuid.UUID
) -> list[FoundPassage]:
    """Passages found for a case, in their order, then those missed; passages of notes
    that have changed since are gone. Of a case with notes of its own, these. Raises NotFound."""
    await run_view(session, workspace_id, run_id)
    result = await session.scalar(
        select(EvalResult).where(
            EvalResult.workspace_id == workspace_id,
            EvalResult.run_id == run_id,
            EvalResult.test_case_id == test_case_id,
        )
    )
    if result is None:
        raise NotFound.worded("no-result-of-case")
    own = await session.scalar(
        select(EvalTestCase.notes).where(
            EvalTestCase.workspace_id == workspace_id, EvalTestCase.id == test_case_id
        )
    )
    if own:
        return [
            FoundPassage(**CaseNote(**note).model_dump(), id=str(at), rank=at, answers=False)
            for at, note in enumerate(own, start=1)
        ]
    answers = set(result.ground_truth_chunk_ids)
    ranks = {id_: rank for rank, id_ in enumerate(result.retrieved_chunk_ids, start=1)}
    given = {"workspace_id": workspace_id, "ids": [*answers, *ranks]}
    rows = (await session.execute(queries.PASSAGES, given)).mappings()
    passages = [
        FoundPassage(**row, rank=ranks.get(row["id"]), answers=row["id"] in answers)
        for row in map(dict, rows)
    ]
    return sorted(passages, key=lambda each: (each.rank is None, each.rank))


def _read(result: EvalResult) -> tuple[tuple[float, float], CaseReading]:
    """With the key that sorts the worst first."""
    faithfulness, relevancy = figure(result, "faithfulness"), figure(result, "answer_relevancy")
    key = worst_first(recall=result.recall, faithfulness=faithfulness, answer_relevancy=relevancy)
    found = None
    if faithfulness is not None and relevancy is not None:
        found = pattern(faithfulness, relevancy)
    return key, CaseReading(
        test_case_id=result.test_case_id,
        state=state_of(result),
        faithfulness=faithfulness,
        answer_relevancy=relevancy,
        pattern=found,
    )


def _patterns(cases: list[CaseReading], of_means: Pattern, lang: Lang) -> list[PatternRead]:
    """All four, that of the means first."""
    counts = Counter(case.pattern for case in cases)
    return [
        PatternRead(
            pattern=each, cases=counts[each], of_means=each is of_means, **each.advice.texts(lang)
        )
        for each in sorted(Pattern, key=lambda one: one is not of_means)
    ]
