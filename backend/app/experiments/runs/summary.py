"""The figures of a run out of its results."""

from collections.abc import Sequence

from app.experiments.runs.models import EvalResult
from app.experiments.runs.views import RunSummary
from app.quality.metrics.generation import GenerationCaseMetrics
from app.quality.metrics.generation import summarise as summarise_generation
from app.quality.metrics.retrieval import MEANS, CaseRetrieval, summarise
from app.quality.metrics.statistics import mean_known, sum_known


def summarise_run(results: Sequence[EvalResult], k: int) -> RunSummary:
    """Means, intervals and coverage. Blocks for a moment with thousands of results."""
    judged = [result for result in results if result.faithfulness is not None]
    cost = sum_known(each.cost_usd for each in results)
    return RunSummary(
        metrics=summarise([_retrieval(each) for each in results if each.precision is not None], k),
        generation=summarise_generation(
            [GenerationCaseMetrics.model_validate(each, from_attributes=True) for each in judged],
            total=len(results),
        ),
        failed=sum(result.error is not None for result in results),
        prompt_tokens=sum_known(each.prompt_tokens for each in results),
        completion_tokens=sum_known(each.completion_tokens for each in results),
        cost_usd=None if cost is None else float(cost),
        mean_latency_ms=mean_known(each.latency_ms for each in results),
    )


def _retrieval(result: EvalResult) -> CaseRetrieval:
    figures = {name: getattr(result, name) for name in MEANS.values()}
    return CaseRetrieval(**figures, missing=tuple(result.missing_chunk_ids))
