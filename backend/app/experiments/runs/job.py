"""The job that measures a part of a run's cases, each committed as soon as it is known."""

import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

from sqlalchemy import RowMapping
from sqlalchemy.ext.asyncio import AsyncSession

from app.ai_router.jobs import ModelJobContext
from app.ai_router.types import ChatRouter
from app.experiments import queries
from app.experiments.models import EvalResult, EvalTestCase, EvaluationType
from app.experiments.parts import (
    NO_BUDGET,
    ItemBudget,
    Work,
    add_result,
    criteria_column,
    is_last_try,
)
from app.experiments.runs.diagnosis import HIGH_FROM
from app.experiments.runs.run_models import RunModels, max_case_cost
from app.experiments.runs.search import Found, RunSearch, run_search
from app.experiments.runs.service import summarise_run
from app.judges.answer import AnswerToJudge
from app.judges.criteria.criterion import Criterion
from app.judges.criteria.rules import complete_scores
from app.judges.criteria.versions import definitions
from app.judges.estimate import score_answer
from app.judges.prompt_versions import find_prompt
from app.judges.published.llm_judge import JudgeScore
from app.judges.rules.judge import is_refused, judge
from app.judges.rules.read import read
from app.platform.db.owned_queries import in_order, one
from app.platform.db.session import in_workspace
from app.platform.db.statements import storable
from app.platform.errors import ProviderError, TransientProviderError
from app.platform.jobs.job import Deferred, Job
from app.platform.processes.pool import QUICK_LIMITS, quick_lane
from app.quality.metrics.retrieval import MEANS, score_case
from app.text.language import lang_of
from app.verdicts.answers.finished import FromNotes, answer_from_notes
from app.verdicts.judging.reply_cache import MeteredRouter


async def passes(case: EvalTestCase, answer: str, faithful: JudgeScore) -> bool | None:
    """A refusal passes where one is expected, and nowhere else. Another answer fails where rules
    find that it contradicts the reference answer; else it passes from a faithfulness of HIGH_FROM
    on, or where it matches the reference. None where the case has no notes, or nobody can tell."""
    if not case.notes:
        return None
    lang, reference = lang_of(case.lang), case.reference_answer
    subject = AnswerToJudge.from_texts(case.question, answer, [reference or ""], lang=lang)
    refused, matches = await quick_lane().run(QUICK_LIMITS, _compare, subject)
    if refused or case.expects_refusal:
        return refused and case.expects_refusal
    if matches is False:
        return False
    if faithful.parsed and (faithful.evaluation is None or faithful.evaluation.decided):
        return faithful.score >= HIGH_FROM
    return matches


def _compare(subject: AnswerToJudge) -> tuple[bool, bool | None]:
    """Whether the answer only refuses, and whether it matches its one note, the reference; None
    where there is none or rules cannot tell. Blocks."""
    material = read(subject)
    if not material.sentences:
        return False, None
    if is_refused(material) or not subject.has_notes:
        return is_refused(material), None
    outcome = judge(subject, material).outcome
    return False, None if outcome == "undecided" else outcome == "matches"


async def evaluate_cases(job: Job, context: ModelJobContext) -> None:
    """Measures the cases at positions `first` to `last` that have no result yet, and sums the
    run up after its last case.

    Raises TransientProviderError while the job may be tried again; on its last try a case whose
    model fails gets that as its result, so that one bad case does not stop the others. Raises
    Deferred while the daily budget has no money for a case.
    """
    await queries.RUNS.run_part(
        job,
        context,
        load=partial(_measurements, job, context),
        results=queries.run_results,
        summarise=_summary,
    )


async def _measurements(
    job: Job, context: ModelJobContext, session: AsyncSession, run: RowMapping
) -> Work | None:
    """None where the dataset was deleted."""
    workspace_id, run_id, dataset_id = job.workspace_id, run["id"], run["dataset_id"]
    if dataset_id is None:
        return None
    places = {"first": job.payload["first"], "last": job.payload["last"]}
    dataset = await one(session, queries.DATASET, workspace_id, dataset_id)
    assert dataset is not None, "read in one transaction"
    of_dataset = EvalTestCase.dataset_id == dataset_id
    cases = await in_order(session, EvalTestCase, workspace_id, of_dataset, **places)
    measured = await queries.run_results(session, workspace_id, run_id, **places)
    own = await find_prompt(session, workspace_id, run["prompt_version"])
    references = tuple(run["criteria"] or ())
    criteria = await definitions(session, workspace_id, references) if references else ()
    done = {result.position for result in measured}

    def measurements() -> Work:
        search = run_search(run, dataset["notebook_id"], context)
        models = RunModels(
            *(run["answer_model"], run["judge_model"], run["prompt_version"], own), references
        )
        budget = ItemBudget(context, run_id, answers=True)
        measuring = _Measuring(context, run, models, search, budget, criteria)
        for case in cases:
            if case.position not in done:
                yield partial(measuring.measure, case)

    return measurements()


def _summary(run: RowMapping, results: Sequence[EvalResult]) -> dict[str, Any]:
    summary = summarise_run(results, run["k"])
    values: dict[str, Any] = {"summary": summary.model_dump(mode="json")}
    if summary.failed == run["cases"]:
        values["error_message"] = results[0].error
    return values


@dataclass(frozen=True, slots=True)
class _Measuring:
    context: ModelJobContext
    run: RowMapping
    models: RunModels
    search: RunSearch
    budget: ItemBudget
    criteria: Sequence[Criterion]

    async def measure(self, case: EvalTestCase) -> None:
        """Stores the result of one case. Raises Deferred where there is no money for it now."""
        start = time.perf_counter()
        settings, router = self.context.settings, self.context.providers.router
        answering = MeteredRouter(
            router(self.models.answer_model, deadline=settings.answering.deadline_seconds)
        )
        judging = MeteredRouter(
            router(self.models.judge_model, deadline=settings.judge.deadline_seconds)
        )
        row: dict[str, Any] = {"retrieved_chunk_ids": [], "missing_chunk_ids": []}
        try:
            if case.notes:
                found = Found((), [(note["title"], note["content"]) for note in case.notes])
            else:
                found = await self.search.search(case.question, lang_of(case.lang))
                row = await self._retrieval(case, found)
            if self.run["evaluation_type"] == EvaluationType.FULL_RAG:
                await self._hold_budget(case, found)
                row |= await self._generation(case, found, answering, judging)
        except ProviderError as error:
            if isinstance(error, TransientProviderError) and not is_last_try(self.context):
                cost_usd = (answering.take_usage() + judging.take_usage()).cost_usd
                async with self.context.writing() as session:
                    await self.budget.settle(session, case.position, cost_usd)
                raise
            row["error"] = storable(f"{error.kind}: {error}")
        usage = answering.take_usage() + judging.take_usage()
        latency_ms = (time.perf_counter() - start) * 1000
        async with self.context.writing() as session:
            await add_result(
                session,
                EvalResult,
                workspace_id=case.workspace_id,
                run_id=self.run["id"],
                position=case.position,
                test_case_id=case.id,
                question=case.question,
                ground_truth_chunk_ids=case.ground_truth_chunk_ids,
                latency_ms=latency_ms,
                **asdict(usage),
                **row,
            )
            await self.budget.settle(session, case.position, usage.cost_usd)

    async def _retrieval(self, case: EvalTestCase, found: Found) -> dict[str, Any]:
        workspace_id = self.context.job.workspace_id
        wanted = case.ground_truth_chunk_ids
        async with in_workspace(self.context.sessions, workspace_id) as session:
            given = {"workspace_id": workspace_id, "ids": wanted}
            existing = (await session.scalars(queries.EXISTING_CHUNKS, given)).all()
        missing = set(wanted) - set(existing)
        score = score_case(found.chunk_ids, wanted, self.run["k"], missing)
        return {
            "retrieved_chunk_ids": list(found.chunk_ids),
            "missing_chunk_ids": sorted(missing),
            **{name: getattr(score, name) for name in MEANS.values()},
        }

    async def _hold_budget(self, case: EvalTestCase, found: Found) -> None:
        texts = [found.guidance, *(text for note in found.notes for text in note)]
        lang, settings = lang_of(case.lang), self.context.settings
        max_cost_usd = max_case_cost(case.question, texts, lang, self.models, settings)
        if wait := await self.budget.hold(case.position, max_cost_usd):
            raise Deferred(wait.reason, NO_BUDGET[wait.reason], wait.seconds)

    async def _generation(
        self, case: EvalTestCase, found: Found, answering: ChatRouter, judging: ChatRouter
    ) -> dict[str, Any]:
        lang, notes = lang_of(case.lang), found.notes
        asked = FromNotes(case.question, notes, lang, found.guidance)
        answer = (await answer_from_notes(answering, asked)).content
        texts = [text for _, text in notes]
        faithful, relevant, by_model = await score_answer(
            judging,
            self.models.judge_prompt,
            case.question,
            answer,
            texts,
            lang,
            fence_key=self.run["id"].bytes,
            criteria=self.criteria,
        )
        columns: dict[str, Any] = {"generated_answer": answer}
        columns["passed"] = await passes(case, answer, faithful)
        for name, score in (("faithfulness", faithful), ("answer_relevancy", relevant)):
            columns[name] = score.score
            columns[f"{name}_reasoning"] = storable(score.reasoning)
            columns[f"{name}_parsed"] = score.parsed
        evaluation = faithful.evaluation
        columns["faithfulness_decided"] = evaluation and evaluation.decided
        columns["outcome"] = evaluation and evaluation.outcome
        subject = AnswerToJudge.from_texts(case.question, answer, texts, lang=lang)
        scores = await complete_scores(self.criteria, by_model, subject)
        columns["criteria"] = criteria_column(scores)
        return columns
