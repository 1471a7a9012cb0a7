"""`--where TERM`: conditions on a command line, parsed into fields of RejudgeFilter."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from app.platform.errors import SetupError

_TERM = re.compile(r"([a-z_]+)\s*(=|<)\s*(.+)", re.DOTALL)
_TRUTH = {"true": True, "yes": True, "false": False, "no": False}


def _truth(written: str) -> bool:
    return _TRUTH[written.lower()]


def _fraction(written: str) -> float:
    value = float(written)
    if not 0 <= value <= 1:
        raise ValueError(written)
    return value


# The term, the filter's field, the parser of its value, and a description of its values.
_FIELDS: Mapping[str, tuple[str, Callable[[str], Any], str]] = {
    "status=": ("status", str, "succeeded, failed or skipped"),
    "confidence=": ("confidence", str, "high, medium or low"),
    "degraded=": ("degraded", _truth, "true or false"),
    "needs_improvement=": ("needs_improvement", _truth, "true or false"),
    "feature=": ("feature", str, "search_qa, insight, …"),
    "lang=": ("lang", str, "ko or en"),
    "notebook=": ("notebook", str, "the name of a notebook"),
    "judge=": ("judge_model", str, "provider:model"),
    "prompt=": ("prompt_version", str, "as in `searchqa verdicts show --json`"),
    "correctness<": ("correctness_below", _fraction, "0 to 1"),
    "utility<": ("utility_below", _fraction, "0 to 1"),
    "overall<": ("overall_below", _fraction, "0 to 1"),
}
WHERE_HELP = "One of " + ", ".join(_FIELDS) + "; repeatable, all must match."


def parse_where(terms: Sequence[str]) -> dict[str, Any]:
    """Fields of RejudgeFilter, with a notebook by its name as `notebook`. Raises SetupError."""
    found: dict[str, Any] = {}
    for term in terms:
        match = _TERM.fullmatch(term.strip())
        if match is None or match[1] + match[2] not in _FIELDS:
            raise SetupError(
                f"{term!r} is not a condition; write one of {', '.join(_FIELDS)} followed by a"
                " value, as in confidence=low or 'correctness<0.5'."
            )
        field, read, values = _FIELDS[match[1] + match[2]]
        if field in found:
            raise SetupError(f"{match[1]} has two conditions; only one is allowed.")
        try:
            found[field] = read(match[3])
        except (KeyError, ValueError):
            raise SetupError(f"{term!r}: {match[1]} must be {values}.") from None
    return found
