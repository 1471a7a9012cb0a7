"""Criteria that a rule decides: a regular expression, a JSON schema or a length.

Expressions are people's own, and one may take exponential time: what applies them runs in a child
process that is ended at its limits. An answer by whose rule a child was ended has no score.
"""

import json
import logging
import re
from collections.abc import Sequence

from app.ai_router.types import Lang
from app.judges.answer import AnswerToJudge
from app.judges.criteria.criterion import Criterion, CriterionScore
from app.platform.errors import InvalidRequest
from app.platform.processes.calls import LimitExceeded, Limits
from app.platform.processes.pool import quick_lane

logger = logging.getLogger(__name__)

LIMITS = Limits(seconds=10, megabytes=128, cpu_seconds=1)
_PROBE_CHARS = 500
# What ends repeats that might be ambiguous, so that a backtracking matcher tries them all.
_PROBE_ENDS = ("", "\0", " !")


async def complete_scores(
    criteria: Sequence[Criterion], by_model: Sequence[CriterionScore], subject: AnswerToJudge
) -> tuple[CriterionScore, ...]:
    """The score of each criterion that is for the answer. by_model: what the judge's model said;
    what it was not asked, or left out, has no value."""
    wanted = [each for each in criteria if each.applies_to(subject)]
    found = {score.name: score for score in by_model}
    if by_rules := [each for each in wanted if each.kind != "model"]:
        try:
            scores = await _score_by_rules(by_rules, subject.answer, subject.lang)
        except Exception:  # a verdict is worth more than they are
            logger.exception("Criteria could not be applied")
        else:
            found |= {score.name: score for score in scores}
    return tuple(found.get(each.name) or each.score(None, "") for each in wanted)


async def _score_by_rules(
    criteria: Sequence[Criterion], answer: str, lang: Lang
) -> list[CriterionScore]:
    """Each that a rule decides."""
    try:
        return await quick_lane().run(LIMITS, apply_rules, tuple(criteria), answer, lang)
    except LimitExceeded as exceeded:
        if len(criteria) == 1:
            return [criteria[0].holds(None, f"The rule {exceeded.what}.")]
    # Only the one that takes so long has no score.
    return [score for each in criteria for score in await _score_by_rules([each], answer, lang)]


async def check_rule(criterion: Criterion) -> None:
    """Raises InvalidRequest for a rule that cannot be applied, or that takes too long."""
    if criterion.pattern is None and criterion.json_schema is None:
        return
    try:
        problem = await quick_lane().run(LIMITS, find_problem, criterion)
    except LimitExceeded:
        raise InvalidRequest.worded(
            "criterion-rule-too-slow", seconds=f"{LIMITS.cpu_seconds:g}"
        ) from None
    if problem is not None:
        raise InvalidRequest.worded("criterion-rule-broken", problem=problem)


def apply_rules(criteria: Sequence[Criterion], answer: str, lang: Lang) -> list[CriterionScore]:
    """Blocks, in a child process."""
    return [_apply(each, answer, lang) for each in criteria]


def _apply(criterion: Criterion, answer: str, lang: Lang) -> CriterionScore:
    try:
        return _score(criterion, answer, lang)
    except MemoryError:
        raise  # which ends the child
    except Exception as error:  # noqa: BLE001  a schema may refer to what is not there, or to itself
        return criterion.holds(None, f"The rule cannot be applied: {type(error).__name__}.")


def _score(criterion: Criterion, answer: str, lang: Lang) -> CriterionScore:
    if criterion.pattern is not None:
        return criterion.holds(re.search(criterion.pattern, answer) is not None)
    if criterion.json_schema is not None:
        return _fits(criterion, criterion.json_schema, answer)
    shortest, most = criterion.min_chars or 0, criterion.max_chars
    length = len(answer.strip())
    fits = shortest <= length and (most is None or length <= most)
    return criterion.holds(fits, f"{length:,}자" if lang == "ko" else f"{length:,} characters")


def _fits(criterion: Criterion, schema: str, answer: str) -> CriterionScore:
    from jsonschema.exceptions import ValidationError  # type: ignore[import-untyped]

    try:
        _validate(schema, json.loads(answer))
    except (ValueError, ValidationError) as error:
        # ValueError: the answer is no JSON.
        return criterion.holds(held=False, reason=str(getattr(error, "message", error))[:400])
    return criterion.holds(held=True)


def _validate(schema: str, found: object) -> None:
    # Only children that need it pay for the import.
    from jsonschema.validators import Draft202012Validator  # type: ignore[import-untyped]
    from referencing import Registry

    # An empty registry: nothing is ever fetched.
    Draft202012Validator(json.loads(schema), registry=Registry()).validate(found)


def find_problem(criterion: Criterion) -> str | None:
    """What is wrong with the rule; None where it can be applied. Blocks, in a child process."""
    if criterion.pattern is not None:
        return _problem_of_pattern(criterion.pattern)
    if criterion.json_schema is not None:
        return _problem_of_schema(criterion.json_schema)
    return None


def _problem_of_pattern(pattern: str) -> str | None:
    try:
        compiled = re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        return str(error)
    # Long repeats of its own characters are what an ambiguous pattern is slow on.
    for char in sorted({*pattern, *"a1 가"}):
        for end in _PROBE_ENDS:
            compiled.search(char * _PROBE_CHARS + end)
    return None


def _problem_of_schema(schema: str) -> str | None:
    from jsonschema.exceptions import SchemaError
    from jsonschema.validators import Draft202012Validator

    try:
        Draft202012Validator.check_schema(json.loads(schema))
    except SchemaError as error:
        return str(error.message)[:400]
    except (ValueError, RecursionError) as error:
        return str(error)[:400]
    return None
