"""What the figures of a run mean and what to do about them, in Korean and English."""

import enum

from app.ai_router.types import Lang
from app.experiments.runs.diagnosis_texts import (
    ANSWER_RELEVANCY_TEXTS,
    BAND_NAMES,
    DIAGNOSIS_TEXTS,
    FAITHFULNESS_TEXTS,
    PATTERN_TEXTS,
    Advice,
    Texts,
)

EXCELLENT_ABOVE = 0.8
GOOD_FROM = 0.6
FAIR_FROM = 0.4
# From here on a figure counts as high where two of them are read together.
HIGH_FROM = GOOD_FROM

_UNMEASURED = 2.0


class Band(enum.StrEnum):
    """Above .8; from .6; from .4; below."""

    EXCELLENT = "excellent"
    GOOD = "good"
    FAIR = "fair"
    POOR = "poor"

    @property
    def grade(self) -> Texts:
        """Its name for readers."""
        return BAND_NAMES[self.value]


class Metric(enum.StrEnum):
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
        return PATTERN_TEXTS[self.value]


class Diagnosis(enum.StrEnum):
    """Where a pipeline is weak, by its retrieval and its answers."""

    HEALTHY = "healthy"
    GENERATION_PROBLEM = "generation_problem"
    MODEL_FILLS_IN = "model_fills_in"
    RETRIEVAL_FIRST = "retrieval_first"

    @property
    def advice(self) -> Advice:
        return DIAGNOSIS_TEXTS[self.value]


def band(score: float) -> Band:
    """The band of a score between 0 and 1."""
    if score > EXCELLENT_ABOVE:
        return Band.EXCELLENT
    if score >= GOOD_FROM:
        return Band.GOOD
    return Band.FAIR if score >= FAIR_FROM else Band.POOR


def meaning(metric: Metric, score: float, lang: Lang) -> str:
    """What a score of this metric says, in one sentence."""
    texts = FAITHFULNESS_TEXTS if metric is Metric.FAITHFULNESS else ANSWER_RELEVANCY_TEXTS
    return texts[band(score).value][lang]


def pattern(faithfulness: float, answer_relevancy: float) -> Pattern:
    """Which of the four patterns two means, or two scores of one case, make."""
    grounded, relevant = faithfulness >= HIGH_FROM, answer_relevancy >= HIGH_FROM
    if relevant:
        return Pattern.IDEAL if grounded else Pattern.HALLUCINATION_RISK
    return Pattern.UNSUITABLE_CONTEXT if grounded else Pattern.OVERALL_PROBLEM


def diagnose(recall: float, faithfulness: float, answer_relevancy: float) -> Diagnosis:
    """Where to begin, by mean recall@k and the means of the answers, each 0 to 1.

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
