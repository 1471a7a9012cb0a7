"""Means that a run must reach, and what its figures mean: bands, patterns, where to begin."""

import enum
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from app.ai_router.types import Lang
from app.experiments.parts import texts_beside
from app.platform.errors import InvalidRequest

Texts: TypeAlias = Mapping[Lang, str]
View = Mapping[str, Any]

EXCELLENT_ABOVE = 0.8
GOOD_FROM = 0.6
FAIR_FROM = 0.4
# From here on a figure counts as high where two of them are read together.
HIGH_FROM = GOOD_FROM

_UNMEASURED = 2.0

# The short names that people write, and where the figure stands in a run.
_NAMES = {
    "precision": "precision_at_k",
    "recall": "recall_at_k",
    "hit_rate": "hit_rate_at_k",
    "mrr": "mrr",
    "map": "map",
    "ndcg": "ndcg_at_k",
    "faithfulness": "mean_faithfulness",
    "answer_relevancy": "mean_answer_relevancy",
}
_GATE = re.compile(r"\s*([a-z_]+)\s*=\s*(0(?:\.\d+)?|1(?:\.0+)?)\s*")
WORST = 5


@dataclass(frozen=True, slots=True)
class Advice:
    """For readers: a title, what is seen, why it may be so, and what to do, in this order."""

    title: Texts
    symptom: Texts
    cause: Texts
    actions: Sequence[Texts]

    def texts(self, lang: Lang) -> dict[str, Any]:
        """All of it in one language, by name."""
        return {
            "title": self.title[lang],
            "symptom": self.symptom[lang],
            "cause": self.cause[lang],
            "actions": [action[lang] for action in self.actions],
        }


class Band(enum.StrEnum):
    """Above .8; from .6; from .4; below."""

    EXCELLENT = "excellent"
    GOOD = "good"
    FAIR = "fair"
    POOR = "poor"

    @property
    def grade(self) -> Texts:
        """Its name for readers."""
        name: Texts = texts_beside(__file__)["grades"][self.value]
        return name


class GenerationMetric(enum.StrEnum):
    """What of a generated answer is judged."""

    FAITHFULNESS = "faithfulness"
    ANSWER_RELEVANCY = "answer_relevancy"


class Pattern(enum.StrEnum):
    """Faithfulness and relevancy together; each is high from HIGH_FROM on."""

    HALLUCINATION_RISK = "hallucination_risk"
    UNSUITABLE_CONTEXT = "unsuitable_context"
    IDEAL = "ideal"
    OVERALL_PROBLEM = "overall_problem"

    @property
    def advice(self) -> Advice:
        return Advice(**texts_beside(__file__)["patterns"][self.value])


class Diagnosis(enum.StrEnum):
    """Where a pipeline is weak, by its retrieval and its answers."""

    HEALTHY = "healthy"
    GENERATION_PROBLEM = "generation_problem"
    MODEL_FILLS_IN = "model_fills_in"
    RETRIEVAL_FIRST = "retrieval_first"

    @property
    def advice(self) -> Advice:
        return Advice(**texts_beside(__file__)["diagnoses"][self.value])


def band(score: float) -> Band:
    """The band of a score between 0 and 1."""
    if score > EXCELLENT_ABOVE:
        return Band.EXCELLENT
    if score >= GOOD_FROM:
        return Band.GOOD
    return Band.FAIR if score >= FAIR_FROM else Band.POOR


def meaning(metric: GenerationMetric, score: float, lang: Lang) -> str:
    """The meaning of a score, in one sentence."""
    sentence: str = texts_beside(__file__)["meanings"][metric.value][band(score).value][lang]
    return sentence


def pattern(faithfulness: float, answer_relevancy: float) -> Pattern:
    """The pattern of two means, or of two scores of one case."""
    grounded, relevant = faithfulness >= HIGH_FROM, answer_relevancy >= HIGH_FROM
    if relevant:
        return Pattern.IDEAL if grounded else Pattern.HALLUCINATION_RISK
    return Pattern.UNSUITABLE_CONTEXT if grounded else Pattern.OVERALL_PROBLEM


def diagnose(recall: float, faithfulness: float, answer_relevancy: float) -> Diagnosis:
    """The weakest stage, by mean recall@k and the means of the answers, each 0 to 1.

    After good retrieval both means must be high. After poor retrieval relevant answers alone are
    suspicious: what the search did not bring, the model has filled in.
    """
    if recall >= HIGH_FROM:
        good = min(faithfulness, answer_relevancy) >= HIGH_FROM
        return Diagnosis.HEALTHY if good else Diagnosis.GENERATION_PROBLEM
    relevant = answer_relevancy >= HIGH_FROM
    return Diagnosis.MODEL_FILLS_IN if relevant else Diagnosis.RETRIEVAL_FIRST


def worst_first(
    *,
    recall: float | None = None,
    faithfulness: float | None = None,
    answer_relevancy: float | None = None,
) -> tuple[float, float]:
    """A key that sorts cases by their lowest figure, then by the mean of their figures.

    Leave out (None) what was not measured, a judge's failures too: they say nothing of the
    answer. Cases without any figure come last.
    """
    figures = [one for one in (recall, faithfulness, answer_relevancy) if one is not None]
    if not figures:
        return (_UNMEASURED, _UNMEASURED)
    return (min(figures), sum(figures) / len(figures))


@dataclass(frozen=True, slots=True)
class Gate:
    """A mean of a run and the minimum it must reach. `value`: None where nothing was measured."""

    name: str
    minimum: float
    value: float | None

    @property
    def passed(self) -> bool:
        return self.value is not None and self.value >= self.minimum

    @property
    def sentence(self) -> str:
        if self.value is None:
            return f"{self.name} was not measured, so it is not at least {self.minimum:g}."
        where = "at least" if self.passed else "below"
        return f"{self.name} is {self.value:.4f}, {where} {self.minimum:g}."


def parse_gates(written: str) -> dict[str, float]:
    """`faithfulness=0.8,recall=0.85` as numbers by name. Raises InvalidRequest."""
    gates: dict[str, float] = {}
    for part in written.split(","):
        match = _GATE.fullmatch(part)
        if match is None or match[1] not in _NAMES:
            raise InvalidRequest.worded("unreadable-gate", part=part, names=", ".join(_NAMES))
        gates[match[1]] = float(match[2])
    return gates


def check_gates(run: Mapping[str, Any], gates: Mapping[str, float]) -> list[Gate]:
    """The gates with what `run`, as GET /evaluation/runs/{id} gives it, has of them."""
    return [Gate(name, minimum, _value(run, _NAMES[name])) for name, minimum in gates.items()]


def _value(run: Mapping[str, Any], field: str) -> float | None:
    value: float | None
    if not field.startswith("mean_"):
        value = (run["metrics"] or {}).get(field)
        return value
    generation = run["summary"] and run["summary"]["generation"]
    # A mean of nothing but unusable replies says nothing of the answers.
    if generation is None or not generation[field.removeprefix("mean_")]["parsed"]:
        return None
    value = run[field]
    return value


def caveats(run: View) -> Iterator[str]:
    """Caveats of the means of a completed run."""
    summary, cases = run["summary"], run["cases"]
    metrics, generation = summary["metrics"], summary["generation"]
    if metrics is not None and metrics["missing_chunks"]:
        yield (
            "Chunks of the ground truth that no longer exist and count as missed:"
            f" {metrics['missing_chunks']:,}. A dataset made from the notes as they are now"
            " measures the search alone."
        )
    if summary["failed"]:
        first = f" The first says: {run['error_message']}" if run["error_message"] else ""
        yield (
            f"{summary['failed']:,} of {cases:,} cases failed in searching, answering or judging;"
            f" the means are those of the others.{first}"
        )
    if generation is not None and (undecided := generation["faithfulness"].get("undecided")):
        yield (
            f"Rules could not tell of {undecided:,} of {cases:,} answers whether the notes support"
            " them; mean_faithfulness is that of the others."
        )
    if generation is not None and not judged(generation):
        yield "The judge could not say of any answer: these means say nothing of quality."


def judged(generation: View) -> bool:
    """Whether the judge gave usable scores of both metrics."""
    return all(generation[name]["parsed"] for name in GenerationMetric)


def meanings(run: View, lang: Lang) -> Iterator[str]:
    """The band of each mean of the answers; nothing where there is none to speak of."""
    generation = run["summary"]["generation"]
    if generation is None or not judged(generation):
        return
    for metric in GenerationMetric:
        mean = generation[f"mean_{metric}"]
        yield f"{metric}: {band(mean).grade[lang]}. {meaning(metric, mean, lang)}"


def advice(run: View) -> Iterator[Advice]:
    """Advice by pairs of means: faithfulness with relevancy, retrieval with answers."""
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
    refused = result.get("outcome") == "rightly_refused"
    if refused or result.get("faithfulness_decided") is False:
        figures["faithfulness"] = None
    if refused:
        figures["answer_relevancy"] = None
    return worst_first(**figures)
