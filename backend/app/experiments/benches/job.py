"""The job that has a part of a bench judged, each result committed as soon as it is known."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np
from sqlalchemy import RowMapping, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.ai_router.jobs import ModelJobContext
from app.experiments import queries
from app.experiments.benches.comparisons import common_rows, compare, differences
from app.experiments.benches.judging import judge_answer, repeat_answer, subject_of
from app.experiments.benches.learned import apply_learning
from app.experiments.benches.learning import StoredLearning, prove
from app.experiments.benches.request import JURY, STORED, stored_prompts
from app.experiments.benches.views import BenchFrame, BenchSummary, JudgeFigures
from app.experiments.models import JudgeBenchItem, JudgeBenchResult
from app.experiments.parts import Work, add_result, criterion_means
from app.judges.criteria.criterion import Criterion
from app.judges.criteria.rules import complete_scores
from app.judges.criteria.versions import definitions
from app.judges.judge_names import RULES_MODEL, takes_prompts
from app.judges.prompts.one_call import OneCallPrompt
from app.platform.db.owned_queries import in_order
from app.platform.jobs.job import Job
from app.quality.metrics.agreement import measure_steadiness
from app.quality.metrics.judge import BenchFigures, JudgedAnswer, measure
from app.quality.metrics.statistics import CONFIDENCE, sum_known

# A row of `queries.bench_results`.
Result = Mapping[str, Any]


def summarise_bench(
    results: Sequence[Result],
    judges: Sequence[str],
    threshold: float,
    frame: BenchFrame | None = None,
) -> BenchSummary:
    """Everything about each judge, and each pair of them. Blocks for seconds with thousands of
    results. threshold: a correctness below it says "hallucinated".

    Of twenty benches, one has an interval of agreement that is wrong, however many judges there are
    (Bonferroni), and one such of error.
    """
    by_judge = {judge: [row for row in results if row["judge"] == judge] for judge in judges}
    if JURY in by_judge:
        by_judge[JURY] = _jury_rows(
            [rows for judge, rows in by_judge.items() if judge not in {JURY, STORED, RULES_MODEL}]
        )
    figures = [_figures(judge, rows, threshold) for judge, rows in by_judge.items()]
    summary = BenchSummary(judges=figures, differences=[], comparisons=[])
    pairs = list(combinations(figures, 2))
    confidence = 1 - (1 - CONFIDENCE) / max(len(pairs), 1)
    for first, second in pairs:
        common = common_rows(by_judge[first.judge], by_judge[second.judge])
        summary.differences.extend(differences(first.judge, second.judge, common, threshold))
        if common:
            compared = compare(first, second, common, threshold, frame, confidence)
            summary.comparisons.append(compared)
    return summary


def _jury_rows(jurors: Sequence[Sequence[Result]]) -> list[Result]:
    """What a jury of them says of each answer, as in a policy: asked in turn, until more than half
    give the same confidence; else the last one's verdict. It costs and takes what those do that are
    asked, once each. One without a verdict has no vote."""
    by_position = [{row["position"]: row for row in rows} for rows in jurors]
    common = sorted(set(by_position[0]).intersection(*by_position[1:]))
    return [_jury_row([rows[position] for rows in by_position]) for position in common]


def _jury_row(rows: Sequence[Result]) -> Result:
    votes: Counter[str | None] = Counter()
    decided, asked = rows[0], 0
    for row in rows:
        asked += 1
        if row["score"] is not None:
            decided = row
            votes[row["confidence"]] += 1
        if votes[row["confidence"]] > len(rows) // 2:
            break
    once = [_once(row) for row in rows[:asked]]
    sums = {name: sum_known(row[name] for row in once) for name in once[0]}
    return {**decided, **sums, "judge": JURY, "scores": None}


def _once(row: Result) -> Result:
    """What one verdict took of what all repeats did."""
    repeats = len(row["scores"] or (0,))
    cost, read, written = row["cost_usd"], row["prompt_tokens"], row["completion_tokens"]
    return {
        "cost_usd": cost and cost / repeats,
        "prompt_tokens": read and round(read / repeats),
        "completion_tokens": written and round(written / repeats),
        "latency_ms": row["latency_ms"],
    }


def _figures(judge: str, rows: Sequence[Result], threshold: float) -> JudgeFigures:
    bench = measure([_judged(row) for row in rows], threshold=threshold)
    return JudgeFigures(
        **dict(bench),
        judge=judge,
        coverage=bench.answers / len(rows) if rows else 0,
        steadiness=measure_steadiness([row["scores"] or () for row in rows], threshold),
        criteria=criterion_means([row.get("criteria") or {} for row in rows]),
        **_spent(judge, rows),
        first_error=next((row["error"] for row in rows if row["error"]), None),
        notes=[*_notes(bench), *_judges_of_stored(judge, rows)],
    )


def _judged(row: Result) -> JudgedAnswer:
    score = row["score"]
    return JudgedAnswer(
        hallucinated=row["hallucinated"],
        score=0.0 if score is None else score,
        grade=row["grade"],
        spans=row["human_spans"],
        judge_spans=row["spans"],
        parsed=score is not None,
        decided=row["decided"] is not False,
    )


def _spent(judge: str, rows: Sequence[Result]) -> dict[str, Any]:
    """Also what failures took. Stored verdicts cost the bench nothing; per answer it is what they
    had cost. Latencies are those of answers with a verdict."""
    costs = [cost for row in rows if (cost := _cost(judge, row)) is not None]
    verdicts = sum(len(row["scores"] or (0,)) for row in rows if _cost(judge, row) is not None)
    free = judge == STORED or (judge != JURY and not takes_prompts(judge))
    latencies = [row["latency_ms"] for row in rows if row["score"] is not None]
    latencies = [one for one in latencies if one is not None]
    median, p95 = np.quantile(latencies, [0.5, 0.95]).tolist() if latencies else (None, None)
    return {
        "cost_usd": 0.0 if free else sum(costs) if costs else None,
        "cost_per_answer_usd": sum(costs) / verdicts if costs else None,
        "prompt_tokens": sum_known(row["prompt_tokens"] for row in rows),
        "completion_tokens": sum_known(row["completion_tokens"] for row in rows),
        "latency_median_ms": median,
        "latency_p95_ms": p95,
    }


def _cost(judge: str, row: Result) -> float | None:
    maker = row["made_by"] if judge == STORED else judge
    if maker not in {None, JURY} and not takes_prompts(maker):
        return 0.0
    return None if row["cost_usd"] is None else float(row["cost_usd"])


def _judges_of_stored(judge: str, rows: Sequence[Result]) -> Iterator[str]:
    makers = Counter(row["made_by"] for row in rows if judge == STORED and row["made_by"])
    if makers:
        named = ", ".join(f"{name} ({count:,})" for name, count in makers.most_common())
        yield f"The stored verdicts were given by {named}."


def _notes(bench: BenchFigures) -> Iterator[str]:
    if not bench.answers:
        yield "The judge gave no usable verdict, so there is nothing to measure."
        return
    if bench.hallucinated in {0, bench.answers}:
        label = "hallucinated" if bench.hallucinated else "grounded"
        yield (
            f"All labels say {label}: AUROC and balanced accuracy need both labels and are not"
            " defined."
        )
    if bench.undecided:
        share = bench.undecided / (bench.answers + bench.undecided)
        yield (
            f"Rules could not tell of {bench.undecided:,} answers ({share:.1%}), which count in no"
            " figure: neither as right nor as hallucinated."
        )
    if bench.failed:
        yield f"{bench.failed:,} answers have no usable verdict and count in no figure."
    if bench.spans is None:
        yield "Span overlap needs places marked by people and by the judge; there are none."


async def judge_bench_part(job: Job, context: ModelJobContext) -> None:
    """Has the answers at positions `first` to `last` judged by each judge that has not yet. The
    job that stores the last result of the bench summarises it.

    Raises TransientProviderError while the job may be tried again; on its last try an answer
    whose judge fails gets that as its result.
    """
    await queries.BENCHES.run_part(
        job,
        context,
        load=partial(_measurements, job, context),
        results=queries.bench_results,
        summarise=_summary,
        complete=partial(apply_learning, context.settings),
    )


async def _measurements(
    job: Job, context: ModelJobContext, session: AsyncSession, bench: RowMapping
) -> Work:
    workspace_id, bench_id = job.workspace_id, bench["id"]
    first, last = job.payload["first"], job.payload["last"]
    of_bench = JudgeBenchItem.bench_id == bench_id
    items = await in_order(session, JudgeBenchItem, workspace_id, of_bench, first, last)
    results = await session.execute(
        select(JudgeBenchResult.position, JudgeBenchResult.judge).where(
            JudgeBenchResult.workspace_id == workspace_id,
            JudgeBenchResult.bench_id == bench_id,
            JudgeBenchResult.position.between(first, last),
        )
    )
    done = {(row.position, row.judge) for row in results}
    own = await stored_prompts(session, workspace_id, bench["judges"])
    criteria = await definitions(session, workspace_id, bench["criteria"] or ())
    return [
        partial(_measure, context, bench, own, criteria, item, judge)
        for item in items
        for judge in bench["judges"]
        if judge != JURY and (item.position, judge) not in done
    ]


async def _measure(
    context: ModelJobContext,
    bench: RowMapping,
    own: Mapping[str, OneCallPrompt],
    criteria: Sequence[Criterion],
    item: JudgeBenchItem,
    judge: str,
) -> None:
    """Stores the verdict. Raises JobLost."""
    given = own, criteria
    judge_once = partial(judge_answer, item, judge, context, *given, spans=bench["judge_spans"])
    if bench["repeats"] > 1 and judge != STORED and takes_prompts(judge):
        judged = await repeat_answer(judge_once, bench["repeats"])
    else:
        judged = await judge_once()
    if judged.score is not None:
        scores = await complete_scores(criteria, judged.criteria, subject_of(item))
        judged = replace(judged, criteria=scores)
    decides = judged.score is not None and judged.decided is not False
    async with context.writing() as session:
        await add_result(
            session,
            JudgeBenchResult,
            workspace_id=item.workspace_id,
            bench_id=item.bench_id,
            position=item.position,
            judge=judge,
            hallucinated=item.hallucinated,
            predicted=judged.score < bench["threshold"] if decides else None,
            **judged.columns(),
        )


def _summary(bench: RowMapping, results: Sequence[Result]) -> dict[str, Any]:
    frame = bench["frame"] and BenchFrame.model_validate(bench["frame"])
    summary = summarise_bench(results, bench["judges"], bench["threshold"], frame)
    values: dict[str, Any] = {"summary": summary.model_dump(mode="json")}
    if frame and bench["learning"]:
        learning = StoredLearning.model_validate(bench["learning"])
        values["learning"] = prove(learning, results, frame).model_dump(mode="json")
    if not any(judge.answers for judge in summary.judges):
        values["error_message"] = summary.judges[0].first_error
    return values
