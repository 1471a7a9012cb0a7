"""What the figures of a run leave out and what they mean, in sentences.

A run is the JSON of `GET /evaluation/runs/{id}`, so that commands and reports read it alike.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from app.ai_router.types import Lang
from app.experiments.runs.diagnosis import Metric, band, diagnose, meaning, pattern, worst_first
from app.experiments.runs.diagnosis_texts import Advice

View = Mapping[str, Any]

WORST = 5


def caveats(run: View) -> Iterator[str]:
    """What the means of a completed run leave out."""
    summary, cases = run["summary"], run["cases"]
    metrics, generation = summary["metrics"], summary["generation"]
    if metrics is not None and metrics["missing_chunks"]:
        yield (
            "Chunks of the ground truth that no longer exist and count as missed:"
            f" {metrics['missing_chunks']:,}. A dataset made from the notes as they are now"
            " measures the search alone."
        )
    if summary["failed"]:
        told = f" The first says: {run['error_message']}" if run["error_message"] else ""
        yield (
            f"{summary['failed']:,} of {cases:,} cases failed in searching, answering or judging;"
            f" the means are those of the others.{told}"
        )
    if generation is not None and not judged(generation):
        yield "No reply of the judge could be used: these means say nothing of quality."


def judged(generation: View) -> bool:
    """Whether the judge said anything of use in both respects."""
    return all(generation[name]["parsed"] for name in Metric)


def meanings(run: View, lang: Lang) -> Iterator[str]:
    """The band of each mean of the answers; nothing where there is none to speak of."""
    generation = run["summary"]["generation"]
    if generation is None or not judged(generation):
        return
    for metric in Metric:
        mean = generation[f"mean_{metric}"]
        yield f"{metric}: {band(mean).grade[lang]}. {meaning(metric, mean, lang)}"


def advice(run: View) -> Iterator[Advice]:
    """What the means say together: faithfulness with relevancy, retrieval with answers."""
    metrics, generation = run["metrics"], run["summary"]["generation"]
    if metrics is None or generation is None or not judged(generation):
        return
    faithfulness = generation["mean_faithfulness"]
    relevancy = generation["mean_answer_relevancy"]
    yield pattern(faithfulness, relevancy).advice
    yield diagnose(metrics["recall_at_k"], faithfulness, relevancy).advice


def worst(results: Sequence[View]) -> list[View]:
    """The five cases with the lowest figures, of those that are not faultless."""
    return [each for each in sorted(results, key=_badness) if _badness(each)[0] < 1][:WORST]


def _badness(result: View) -> tuple[float, float]:
    figures = {name: result[name] for name in ("recall", "faithfulness", "answer_relevancy")}
    return worst_first(**figures)
