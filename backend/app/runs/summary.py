"""The figures of a run out of its results."""

from collections.abc import Sequence

from app.metrics.generation import GenerationCaseMetrics
from app.metrics.generation import summarise as summarise_generation
from app.metrics.retrieval import CaseRetrieval, summarise
from app.runs.models import EvalResult
from app.runs.views import RunSummary


def summarise_run(results: Sequence[EvalResult], k: int) -> RunSummary:
    """Means, intervals and coverage. Blocks for a moment with thousands of results."""
    judged = [result for result in results if result.faithfulness is not None]
    latencies = [each.latency_ms for each in results if each.latency_ms is not None]
    costs = [float(each.cost_usd) for each in results if each.cost_usd is not None]
    return RunSummary(
        metrics=summarise([_retrieval(each) for each in results if not _unsearched(each)], k),
        generation=summarise_generation(
            [GenerationCaseMetrics.model_validate(each, from_attributes=True) for each in judged],
            total=len(results),
        ),
        failed=sum(result.error is not None for result in results),
        prompt_tokens=_sum([each.prompt_tokens for each in results]),
        completion_tokens=_sum([each.completion_tokens for each in results]),
        cost_usd=sum(costs) if costs else None,
        mean_latency_ms=sum(latencies) / len(latencies) if latencies else None,
    )


def _unsearched(result: EvalResult) -> bool:
    """Whether the search itself failed: neither a miss nor a case whose chunks are gone."""
    return result.error is not None and result.precision is None and not result.missing_chunk_ids


def _retrieval(result: EvalResult) -> CaseRetrieval | None:
    if result.precision is None:
        return None
    assert result.recall is not None
    assert result.hit is not None
    assert result.reciprocal_rank is not None
    assert result.average_precision is not None
    assert result.ndcg is not None
    return CaseRetrieval(
        precision=result.precision,
        recall=result.recall,
        hit=result.hit,
        reciprocal_rank=result.reciprocal_rank,
        average_precision=result.average_precision,
        ndcg=result.ndcg,
        missing=tuple(result.missing_chunk_ids),
    )


def _sum(values: Sequence[int | None]) -> int | None:
    known = [value for value in values if value is not None]
    return sum(known) if known else None
