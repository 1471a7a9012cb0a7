"""The evaluation of an answer, and its arithmetic."""

from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict, Field

# Below this overall score an answer is searched for again.
QUALITY_THRESHOLD = 0.5

GROUNDING_WEIGHT = 0.4
COMPLETENESS_WEIGHT = 0.4
ACCURACY_WEIGHT = 0.2

MAX_MISSING = 8
MAX_SUGGESTIONS = 5
ITEM_CHARS = 200
REASON_CHARS = 1_000

Unit = Field(ge=0, le=1)


class Document(BaseModel):
    """A document that a search found. `id` is what makes two of them the same."""

    model_config = ConfigDict(frozen=True)

    id: str
    title: str
    content: str


class EvaluationResult(BaseModel):
    """How good an answer is, 0 to 1 in three respects, and what would make it better.

    overall_score: .4 grounding + .4 completeness + .2 accuracy.
    missing_info: at most MAX_MISSING short texts that can be searched for.
    needs_retrieval: whether a better answer takes another search; False where the documents
    suffice and the answer need only be written anew.
    heuristic: no model judged; the scores are estimates by length, documents and shared words,
    and are never to be compared with those of a model.
    """

    model_config = ConfigDict(frozen=True)

    overall_score: float = Unit
    grounding_score: float = Unit
    completeness_score: float = Unit
    accuracy_score: float = Unit
    missing_info: list[str]
    improvement_suggestions: list[str]
    needs_retrieval: bool
    reason: str
    heuristic: bool

    @property
    def feedback(self) -> dict[str, list[str]]:
        """What a better query and a better answer could take up, by name."""
        return {
            "missing_info": self.missing_info,
            "improvement_suggestions": self.improvement_suggestions,
        }


def overall(grounding: float, completeness: float, accuracy: float) -> float:
    """The weighted mean of the three scores, 0 to 1, to four decimals."""
    return round(
        GROUNDING_WEIGHT * grounding
        + COMPLETENESS_WEIGHT * completeness
        # Rounded, so that .4, .3 and .7 make .42 and not a neighbour that misses a threshold.
        + ACCURACY_WEIGHT * accuracy,
        4,
    )


def result(
    grounding: float,
    completeness: float,
    accuracy: float,
    *,
    missing_info: Sequence[str],
    improvement_suggestions: Sequence[str],
    reason: str,
    heuristic: bool,
    threshold: float,
    asked_to_retrieve: bool | None = None,
) -> EvaluationResult:
    """The evaluation with overall score and `needs_retrieval` worked out.

    asked_to_retrieve: whether the judge wants another search, None where nobody can say: then
    every answer below `threshold` needs one. From the threshold on the judge's wish stands only if
    it names what is missing: a wish without an object gives a search nothing to look for.
    """
    score = overall(grounding, completeness, accuracy)
    missing = tidy(missing_info, MAX_MISSING)
    poor = score < threshold
    if asked_to_retrieve is None:
        needs_retrieval = poor
    else:
        needs_retrieval = asked_to_retrieve and (poor or bool(missing))
    return EvaluationResult(
        overall_score=score,
        grounding_score=grounding,
        completeness_score=completeness,
        accuracy_score=accuracy,
        missing_info=missing,
        improvement_suggestions=tidy(improvement_suggestions, MAX_SUGGESTIONS),
        needs_retrieval=needs_retrieval,
        reason=reason.strip()[:REASON_CHARS],
        heuristic=heuristic,
    )


def tidy(texts: Sequence[str], most: int) -> list[str]:
    """The texts on one line each, without blanks and repetitions, at most `most`."""
    lines = (" ".join(text.split())[:ITEM_CHARS] for text in texts)
    return list(dict.fromkeys(line for line in lines if line))[:most]
