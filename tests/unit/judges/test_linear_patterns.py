"""No regular expression of the program takes more than linear work on texts of strangers.

Work is counted in steps of a matcher of our own (tests/support/regex_work.py), so that the result
is the same on every machine. Every pattern of the program is found by itself: a new one is tested
as soon as it is written.
"""

import re
from collections.abc import Iterator

import pytest

from app.judges.phases.reading import TAIL_CHARS
from cases import for_each
from hostile_text import FRAGMENTS, Use, made_while_running, pumped, uses
from regex_work import Matcher, TooMuchWork

pytestmark = pytest.mark.slow

# Patterns that only ever see so many characters; what these cost at the most must be little.
CAPPED = {
    "app.judges.phases.reading._QUESTION": TAIL_CHARS,
    "app.judges.phases.reading._ANNOUNCEMENT": TAIL_CHARS,
    "app.judges.phases.reading._GREETING": TAIL_CHARS,
    "app.judges.phases.reading._CLOSING_WORDS": TAIL_CHARS,
    "app.judges.phases.reading._ADVICE": TAIL_CHARS,
}
# They read the pages that we build ourselves.
OURS = tuple(
    f"app.api.middleware.{name}" for name in ("_SCRIPT", "_STYLE", "_ICON", "_INLINE_SCRIPT")
)
# Four times the text may be at most so many times the work; a square would be 16 times.
GROWTH = 7
SIZES = ((8, 32), (64, 256), (300, 1_200))

ALL = [use for use in uses() if not use.where.startswith(OURS)]


def steps(use: Use, text: str) -> int | None:
    """None when there are more than can be waited for."""
    matcher = Matcher(re.compile(use.pattern, use.flags))
    try:
        if use.kind == "search":
            for _ in matcher.spans(text):
                pass
        else:
            matcher.match(text, full=use.kind == "fullmatch")
    except TooMuchWork:
        return None
    return matcher.steps


def too_slow(use: Use, before: str, pump: str, behind: str) -> bool:
    """A higher growth must show at three sizes, since a repeat of at most 100 ends growing."""
    for small, large in SIZES:
        less = steps(use, before + pump * small + behind)
        more = steps(use, before + pump * large + behind)
        if less is None or more is None:
            return True
        if more <= GROWTH * less:
            return False
    return True


def family(use: Use) -> Iterator[tuple[str, str, str]]:
    given = (("", fragment, "\0") for fragment in FRAGMENTS)
    yield from dict.fromkeys([*given, *pumped(re.compile(use.pattern, use.flags))])


def cap_of(use: Use) -> int | None:
    return next((most for name, most in CAPPED.items() if use.where.startswith(name)), None)


def slow_inputs(use: Use) -> Iterator[str]:
    most = cap_of(use)
    for before, pump, behind in family(use):
        if most is None:
            if too_slow(use, before, pump, behind):
                yield f"{before!r} + {pump!r} * n + {behind!r}"
        else:
            text = (before + pump * most)[: most - len(behind)] + behind
            if steps(use, text) is None:
                yield text


@for_each("use", ALL, ids=lambda use: f"{use.where}-{use.kind}")
def test_four_times_the_text_is_four_times_the_work(use):
    assert next(slow_inputs(use), None) is None


@for_each(
    ("pattern", "kind"),
    [
        (r"노트\s*\d+(?:\s*[,·&]\s*(?:노트)?\s*\d+)*\]", "search"),
        (r"(?:a+)+b", "match"),
        (r"(?:a|a)*b", "match"),
        (r"\s*,\s*\s*x", "match"),
        (r"[.!?]+(?=\s)", "search"),
        (r"\s+$", "search"),
        (r"\bno\b.*\bnote\b", "search"),
        (r"<!--.*?-->", "search"),
        (r"(\d+)(?:,\d+)*;", "search"),
    ],
)
def test_what_was_slow_once_would_be_found(pattern, kind):
    use = Use("here", pattern, re.compile(pattern).flags, kind)
    assert next(slow_inputs(use), None) is not None


def test_the_matcher_finds_what_re_finds():
    texts = ["".join(FRAGMENTS), " ".join(reversed(FRAGMENTS))]
    for use in ALL:
        pattern = re.compile(use.pattern, use.flags)
        for text in texts:
            found = [match.span() for match in pattern.finditer(text)]
            assert list(Matcher(pattern).spans(text)) == found, (use, text)


def test_patterns_are_constants():
    """Those that are made while the program runs are literal text between places of no width,
    or the bracket of a tag that we name."""
    assert made_while_running() == [
        "app.ai_router.prompts.quoting: f'<(?={_BETWEEN}{letters}(?!\\\\w))'",
        "app.experiments.datasets.rule_questions: f'(?<![a-z]){re.escape(_plain(answer))}'",
        "app.experiments.datasets.rule_questions: f'(?<!\\\\w){re.escape(wording)}(?!\\\\w)'",
        "app.experiments.datasets.rule_questions: f'{before}{re.escape(wording)}{after}'",
        # A workspace's own, searched for in a child process that ends after a second of CPU.
        "app.judges.criteria.rules: criterion.pattern",
        "app.judges.criteria.rules: pattern",
        # What `Bilingual` is given; `uses` finds both patterns that it compiles.
        "app.text.language: pattern",
        "app.text.language: pattern",
        # In a question of at most 120 characters.
        "app.text.standalone: f\"\\\\b{found[0]}[\\\\w'’-]+(?: [\\\\w'’-]+)?$\"",
        "app.text.standalone: f'[가-힣]+ {re.escape(named.split()[-1])}'",
    ]
