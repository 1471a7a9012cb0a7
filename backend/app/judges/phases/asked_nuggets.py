"""Phase 2 by rules without a domain: whether the answer gives each part of the question.

A part that asks who, when, how many, where or why, or names a quantity, is given by a sentence of
the answer with a thing of that kind; any part must be dealt with in its own words, too, which are
those of the answer and of the passages that it rests on.
"""

from collections.abc import Sequence

from app.judges.phases.completeness import NuggetVerdict, Phase2Result, Support, completeness_of
from app.judges.phases.question_parts import Part, parts_of
from app.judges.phases.reading import Reading
from app.judges.rules.material import AnswerSentence, Material
from app.judges.rules.question_types import gives
from app.judges.rules.utility import FULL_COVERAGE, coverage, unanswered_terms, wanted_terms
from app.text.language import detect_language

# The share of a part's words from which an answer is about it at all.
ON_TOPIC = 0.3


def completeness_of_question(reading: Reading) -> Phase2Result:
    """Nuggets are the parts of the question; none, and no score, where it asks nothing."""
    material = reading.material
    parts = parts_of(material.asked, wanted_terms(material))
    answered = _Answered(material, parts)
    return completeness_of(
        [NuggetVerdict(part.name, "vital", answered.support(part), "rules") for part in parts]
    )


class _Answered:
    """What the answer says of the parts."""

    def __init__(self, material: Material, parts: Sequence[Part]) -> None:
        self._material = material
        self._alone = len(parts) == 1
        self._claims = [one for one in material.sentences if not one.refusal]
        said = _words(self._claims)
        # Where the answer names none of the parts, the passages behind it say what it is about.
        names_parts = any(part.terms & said for part in parts)
        dealt = wanted_terms(material) - unanswered_terms(material)
        self._dealt = said if names_parts and not self._alone else dealt
        self._comparable = detect_language(material.question) == material.answer_lang

    def support(self, part: Part) -> Support:
        if not self._claims:
            return "not"
        share = self._share(part)
        given = self._given(part)
        if given is None:
            if share >= FULL_COVERAGE:
                return "supported"
            return "partly" if share >= ON_TOPIC else "not"
        if given and share > 0:
            return "supported" if share >= ON_TOPIC else "partly"
        # Words cannot always say who or where, but a figure is there or is not.
        figure = part.kind in ("number", "when") or not part.terms
        return "not" if figure or share < ON_TOPIC else "partly"

    def _share(self, part: Part) -> float:
        """Share of the part's words that are dealt with, 0 to 1; 1 where none can be compared."""
        if not self._comparable or not part.terms:
            return 1.0
        if self._alone:
            return coverage(self._material)
        return len(part.terms & self._dealt) / len(part.terms)

    def _given(self, part: Part) -> bool | None:
        """Whether a sentence has a thing of the kind that the part asks for; None for any kind."""
        analyses = [one.analysis for one in self._claims]
        if part.values:
            kinds = {token.value.kind for one in analyses for token in one.tokens if token.value}
            return bool(kinds & part.values)
        kind = part.kind
        if kind is None:
            return None
        return any(gives(kind, one, self._material.asked) for one in analyses)


def _words(sentences: Sequence[AnswerSentence]) -> frozenset[str]:
    return frozenset().union(*(one.terms for one in sentences))
