"""A criterion of a workspace, what it may be, and the score that an answer has by it."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Self

from app.ai_router.prompts.quoting import looks_like_control, prints
from app.ai_router.types import Lang
from app.judges.answer import AnswerToJudge
from app.judges.judge_names import BY_MODEL
from app.platform.errors import InvalidRequest

Kind = Literal["model", "regex", "json_schema", "length"]

MAX_CRITERIA = 10
MAX_QUESTION_CHARS = 500
MAX_WORD_CHARS = 40
MAX_WORDS = 5
MAX_RULE_CHARS = 4_000

# Scores and columns that a verdict, a run or an export has already.
BUILT_IN = frozenset(
    (
        *("correctness", "utility", "confidence", "outcome", "summary", "probability"),
        *("grounding", "completeness", "accuracy", "overall", "overall_score", "quality"),
        *("quality_gate", "needs_improvement", "context_relevance", "citation_relevance"),
        *("citation", "groundedness", "next_steps", "faithfulness", "answer_relevancy"),
        *("claims", "nuggets", "checklist", "criteria", "human", "label", "score"),
    )
)

_PREFIX = "criterion:"
_REFERENCE = re.compile(r"criterion:([a-z][a-z0-9_]{0,39})@(\d{1,5})(:model)?")


@dataclass(frozen=True, slots=True)
class Criterion:
    """One version of it. scale: two to five words, the lowest first, or none for a number from 0
    to 1; by a rule the score is 0 or 1, and two words are its labels. pattern, json_schema (as
    JSON), min_chars and max_chars: the rule of its kind. features, languages: of the answers that
    it is for, None for all."""

    name: str
    version: int
    kind: Kind
    question: str
    scale: tuple[str, ...] = ()
    pattern: str | None = None
    json_schema: str | None = None
    min_chars: int | None = None
    max_chars: int | None = None
    features: tuple[str, ...] | None = None
    languages: tuple[Lang, ...] | None = None

    @classmethod
    def from_json(cls, row: Mapping[str, object]) -> Self:
        """Of an object that PostgreSQL has made of the row."""
        values = {
            name: tuple(value) if isinstance(value := row.get(name), list) else value
            for name in cls.__dataclass_fields__
        }
        return cls(**values)  # type: ignore[arg-type]  # as the constraints of the table have them

    @property
    def reference(self) -> str:
        """How the evaluators of a verdict name it."""
        return f"{_PREFIX}{self.name}@{self.version}{BY_MODEL if self.kind == 'model' else ''}"

    def applies_to(self, subject: AnswerToJudge) -> bool:
        """Whether it is for answers like this one."""
        return (self.features is None or subject.feature in self.features) and (
            self.languages is None or subject.lang in self.languages
        )

    def score(self, given: object, reason: str) -> "CriterionScore":
        """given: a word of the scale, or a number from 0 to 1; anything else scores nothing."""
        value, label = None, None
        if isinstance(given, str) and given in self.scale:
            value, label = self.scale.index(given) / (len(self.scale) - 1), given
        elif isinstance(given, int | float) and not isinstance(given, bool) and 0 <= given <= 1:
            value = None if self.scale else float(given)
        by_rule = self.kind != "model"
        return CriterionScore(self.name, self.version, value, label, reason or None, by_rule)

    def holds(self, held: bool | None, reason: str = "") -> "CriterionScore":
        """The score by its rule; None where that could not be applied."""
        if held is None:
            return self.score(None, reason)
        return self.score(self.scale[held] if self.scale else int(held), reason)


@dataclass(frozen=True, slots=True)
class CriterionScore:
    """value: 0 to 1, None where nobody said. label: the word of the scale. by_rule: code gave it,
    not a model."""

    name: str
    version: int
    value: float | None
    label: str | None
    reason: str | None
    by_rule: bool


def is_criterion(evaluator: str) -> bool:
    return evaluator.startswith(_PREFIX)


def name_of(reference: str) -> str:
    """The name of the criterion that a reference names."""
    return reference.removeprefix(_PREFIX).partition("@")[0]


def with_criteria(evaluators: Sequence[str], criteria: Sequence[str]) -> tuple[str, ...]:
    """The evaluators with these references in the place of those that they name. A model is only
    asked beside its verdict, and what nothing else judges no criterion judges."""
    others = tuple(name for name in evaluators if not is_criterion(name))
    if not others:
        return ()
    by_model = "search_qa" in others
    return (*others, *(each for each in criteria if by_model or not each.endswith(BY_MODEL)))


def longest(reference: str) -> Criterion | None:
    """Stands for a criterion that asks a model and whose text is not at hand: as long as one may
    be. None for one that asks none."""
    found = _REFERENCE.fullmatch(reference)
    if found is None or not found[3]:
        return None
    words = tuple(f"{number}{'가' * (MAX_WORD_CHARS - 1)}" for number in range(MAX_WORDS))
    return Criterion(found[1], int(found[2]), "model", "가" * MAX_QUESTION_CHARS, words)


def check(criterion: Criterion) -> None:
    """Raises InvalidRequest with what is wrong with the definition of one."""
    if criterion.name in BUILT_IN:
        raise InvalidRequest.worded("criterion-name-built-in", name=criterion.name)
    for text in (criterion.question, *criterion.scale):
        if "\n" in text or not prints(text) or looks_like_control(text):
            raise InvalidRequest.worded("criterion-text-not-plain")
    words = criterion.scale
    if len(words) == 1 or len(words) > MAX_WORDS or len(set(words)) < len(words):
        raise InvalidRequest.worded("criterion-scale", most=MAX_WORDS)
    if criterion.kind != "model" and len(words) > 2:  # no and yes
        raise InvalidRequest.worded("criterion-rule-scale")
    _check_rule(criterion)


def _check_rule(criterion: Criterion) -> None:
    given: Mapping[Kind, bool] = {
        "regex": criterion.pattern is not None,
        "json_schema": criterion.json_schema is not None,
        "length": criterion.min_chars is not None or criterion.max_chars is not None,
    }
    if {kind for kind, has in given.items() if has} != {criterion.kind} - {"model"}:
        raise InvalidRequest.worded("criterion-rule-of-other-kind", kind=criterion.kind)
    shortest, most = criterion.min_chars, criterion.max_chars
    if shortest is not None and most is not None and shortest > most:
        raise InvalidRequest.worded("criterion-lengths")
