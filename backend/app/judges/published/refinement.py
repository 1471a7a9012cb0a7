"""The evaluation of an answer, and its arithmetic."""

from collections.abc import Mapping, Sequence

from pydantic import BaseModel, ConfigDict, Field

from app.ai_router.types import Lang
from app.judges.answer import AnswerToJudge
from app.judges.rules import weigh as grounding
from app.judges.rules.read import Material, NoteSentence, read
from app.judges.rules.utility import completeness, unanswered_terms, wanted_terms
from app.judges.rules.vocabulary import ASKING, FRAMING

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


# What was not checked is neither good nor bad.
BASE = 0.5
# From this length on an answer is not marked down for being short.
FULL_LENGTH = 30
MAX_PASSAGES = 4
# A document with less of the question's content words is about something else: what it says is
# not what the answer lacks, and searching for its words would only find more of it.
RELEVANT = 0.5
# A passage is taken up when the answer holds this share of what it adds to the question.
TAKEN_UP = 0.5

_REASON: Mapping[str, Mapping[Lang, str]] = {
    "no_model": {
        "ko": "평가 모델 없이 답변의 길이, 문서, 낱말의 겹침으로 어림한 점수입니다.",
        "en": "Estimated without a model from length, documents and shared words.",
    },
    "model_failed": {
        "ko": "평가 모델의 응답을 쓸 수 없어 답변의 길이, 문서, 낱말의 겹침으로 어림한 점수입니다.",
        "en": "The judge gave no usable reply; estimated from length, documents and shared words.",
    },
}
_SUGGESTIONS: Mapping[str, Mapping[Lang, str]] = {
    "no_documents": {
        "ko": "다른 검색어로 관련 문서를 찾아 답합니다.",
        "en": "Search with other words for documents that answer.",
    },
    "ungrounded": {
        "ko": "문서에 없는 내용은 빼고 문서에 있는 내용으로 답합니다.",
        "en": "Leave out what the documents do not say and answer from what they do.",
    },
    "missing": {
        "ko": "답변에 빠진 내용을 구체적으로 덧붙입니다.",
        "en": "Add what the answer leaves out, in concrete terms.",
    },
}


def estimate(
    subject: AnswerToJudge, *, threshold: float, model_failed: bool = False
) -> EvaluationResult:
    """An evaluation marked `heuristic`. Blocks for some milliseconds, more at the first call.

    grounding: correctness by the rules times the share of the question that the best document
    speaks of; BASE for the first factor when the answer claims nothing; 0 without documents, or
    where they refute the answer.
    completeness: how much of the question the answer deals with, halved as it gets short.
    An empty answer has 0 in all three.
    """
    material, lang = read(subject), subject.lang
    missing = missing_info(material)
    reason = _REASON["model_failed" if model_failed else "no_model"][lang]
    grounded, complete, accurate = _scores(material, subject.answer)
    suggestions = [
        _SUGGESTIONS[name][lang]
        for name, applies in (
            ("no_documents", not material.note_sentences),
            ("ungrounded", bool(material.note_sentences) and grounded < BASE),
            ("missing", bool(missing)),
        )
        if applies
    ]
    return result(
        grounded,
        complete,
        accurate,
        missing_info=missing,
        improvement_suggestions=suggestions,
        reason=reason,
        heuristic=True,
        threshold=threshold,
    )


def _scores(material: Material, answer: str) -> tuple[float, float, float]:
    if not material.sentences:
        return 0.0, 0.0, 0.0
    length = BASE + (1 - BASE) * min(1, len(answer.strip()) / FULL_LENGTH)
    complete = round(completeness(material) * length, 4)
    return round(_grounding(material), 4), complete, BASE


def _grounding(material: Material) -> float:
    if not material.note_sentences:
        return 0.0
    claims_nothing = all(sentence.refusal for sentence in material.sentences)
    weighed = grounding.weigh(material)
    if any(one.is_refuted for one in weighed):
        return 0.0
    correct = grounding.correctness(weighed, material)
    return (BASE if claims_nothing else correct) * _relevance(material)


def _relevance(material: Material) -> float:
    """Share of the question's content words that one document holds, 0 to 1: the best one's,
    because words strewn over several documents are no sign that any is about the question."""
    return max(_shares(material).values(), default=0.0)


def _shares(material: Material) -> dict[int, float]:
    """For each document by its number the share of the question's content words it holds."""
    wanted = wanted_terms(material)
    held: dict[int, set[str]] = {}
    for sentence in material.note_sentences:
        held.setdefault(sentence.note_index, set()).update(sentence.terms & wanted)
    return {index: len(terms) / len(wanted) if wanted else 1.0 for index, terms in held.items()}


def missing_info(material: Material) -> list[str]:
    """What the answer leaves out: the passages of relevant documents that speak of the question's
    matter and that it does not take up, best first, then the words of the question that it never
    comes to."""
    passages = [_shortened(passage.text) for passage in _passages_left_out(material)]
    # Passages first: when there are more than fit, the single words are what is cut off.
    return [*passages, *sorted(unanswered_terms(material))]


def _passages_left_out(material: Material) -> list[NoteSentence]:
    wanted = wanted_terms(material)
    shares = _shares(material)
    said = frozenset[str]().union(
        *(sentence.terms for sentence in material.sentences if not sentence.refusal)
    )
    left_out = [
        passage
        for passage in material.note_sentences
        if shares[passage.note_index] >= RELEVANT
        and passage.terms & wanted
        and not _taken_up(passage, wanted, said)
    ]
    left_out.sort(key=lambda passage: -len(passage.terms & wanted))
    return left_out[:MAX_PASSAGES]


def _taken_up(passage: NoteSentence, wanted: frozenset[str], said: frozenset[str]) -> bool:
    adds = passage.terms - wanted - FRAMING - ASKING
    return not adds or len(adds & said) >= TAKEN_UP * len(adds)


def _shortened(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= ITEM_CHARS else text[: ITEM_CHARS - 1] + "…"
