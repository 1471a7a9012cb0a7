"""pytest: judges what the code under test answers.

    def test_the_incubator(searchqa):
        answer, notes = ask("배양기는 몇 도로 맞추나요?")
        searchqa.check("배양기는 몇 도로 맞추나요?", answer, notes)

`searchqa.judge(…)` returns the Verdict, `searchqa.check(…)` also fails the test: for a mismatch
with the notes, a false or missing refusal, and what is below a threshold. Thresholds are arguments,
else those of the marker `@pytest.mark.searchqa(faithfulness=0.8)`, else the ini options
`searchqa_faithfulness` (0.6) and `searchqa_relevancy` (0). Where the judge cannot tell, a check
passes, unless `searchqa_fail_undecided` is true.

The judge is the workspace's on the server of SEARCHQA_URL, by SEARCHQA_TOKEN. Where that is not
set, rules judge without a server and network: the package `searchqa` in a process of its own. At
the end of the session a table has every verdict; JUnit reports have them as properties of the
tests.
"""

from __future__ import annotations

import importlib.metadata
import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import pytest

if TYPE_CHECKING:
    from searchqa_client import AnyNote
    from searchqa_client.models import EvaluationView

_THRESHOLDS = {"faithfulness": "0.6", "relevancy": "0"}
_PROPERTIES = ("searchqa_outcome", "searchqa_faithfulness", "searchqa_doubted")
_OUTCOMES = {"high": "matches", "medium": "undecided", "low": "mismatch"}
_NO_JUDGE = (
    "Nobody can judge: set SEARCHQA_URL and SEARCHQA_TOKEN, or install the package `searchqa` for"
    " judging by rules without a server."
)
_SERVER_SECONDS = 120.0


@dataclass(frozen=True)
class Claim:
    """A sentence of the answer: supported, partly or unsupported. note_index: from 1."""

    text: str
    verdict: str
    note_index: int | None
    reasoning: str


@dataclass(frozen=True)
class Verdict:
    """outcome: matches, mismatch, undecided, rightly_refused, falsely_refused, or not_judged.
    faithfulness and relevancy: 0 to 1, None where the judge cannot tell."""

    outcome: str
    faithfulness: float | None = None
    relevancy: float | None = None
    summary: str = ""
    judge: str = ""
    claims: tuple[Claim, ...] = ()

    @property
    def doubted(self) -> Claim | None:
        """The first unsupported claim, else the first that is supported in part only."""
        doubtful = [claim for claim in self.claims if claim.verdict != "supported"]
        return min(doubtful, key=lambda claim: claim.verdict != "unsupported", default=None)


class Judge(Protocol):
    """Raises SearchQAError where the server gives no verdict."""

    def __call__(
        self, question: str, answer: str, notes: list[tuple[str, str]], lang: str | None
    ) -> Verdict: ...


class Checker:
    """The fixture `searchqa` of one test."""

    def __init__(self, judge: Judge, node: pytest.Item) -> None:
        self._judge = judge
        self._node = node

    def judge(
        self, question: str, answer: str, notes: Iterable[AnyNote] = (), *, lang: str | None = None
    ) -> Verdict:
        """The verdict on an answer that was given from these notes. lang: ko or en, by default that
        of the question."""
        # Sessions that judge nothing do not wait for it.
        from searchqa_client.note import plain_notes

        verdict = self._judge(question, answer, plain_notes(notes), lang)
        doubted = verdict.doubted.text if verdict.doubted else ""
        figure = "" if verdict.faithfulness is None else f"{verdict.faithfulness:.2f}"
        values = (verdict.outcome, figure, doubted)
        self._node.user_properties.extend(zip(_PROPERTIES, values, strict=True))
        return verdict

    def check(
        self,
        question: str,
        answer: str,
        notes: Iterable[AnyNote] = (),
        *,
        lang: str | None = None,
        faithfulness: float | None = None,
        relevancy: float | None = None,
        refusal: bool = False,
    ) -> Verdict:
        """The same; fails the test where it is not as it should be. refusal: the notes do not say,
        and the answer is to say so."""
        __tracebackhide__ = True
        verdict = self.judge(question, answer, notes, lang=lang)
        given = {"faithfulness": faithfulness, "relevancy": relevancy}
        if problem := self._problem(verdict, given, refusal=refusal):
            doubted = verdict.doubted
            lines = [problem, f"question: {question}", f"answer: {answer}"]
            if doubted:
                lines += [f"doubted: {doubted.text}", f"because: {doubted.reasoning}"]
            pytest.fail("\n  ".join([*lines, f"judge: {verdict.judge}"]))
        return verdict

    def _problem(
        self, verdict: Verdict, given: dict[str, float | None], *, refusal: bool
    ) -> str | None:
        if verdict.outcome == "not_judged":
            return f"The answer was not judged. {verdict.summary}".rstrip()
        if refusal and verdict.outcome != "rightly_refused":
            return f"The answer is no right refusal: {verdict.outcome}. {verdict.summary}"
        if verdict.outcome in {"mismatch", "falsely_refused"}:
            return f"The answer does not match the notes. {verdict.summary}"
        if verdict.outcome == "rightly_refused":
            return None
        for name, usual in _THRESHOLDS.items():
            least, value = self._threshold(name, given[name], usual), getattr(verdict, name)
            if value is not None and value < least:
                return f"{name} is {value:.2f}, below {least:g}."
        if verdict.outcome == "undecided" and self._node.config.getini("searchqa_fail_undecided"):
            return f"The judge could not tell. {verdict.summary}"
        return None

    def _threshold(self, name: str, given: float | None, usual: str) -> float:
        if given is not None:
            return given
        for marker in self._node.iter_markers("searchqa"):
            if name in marker.kwargs:
                return float(marker.kwargs[name])
        written = self._node.config.getini(f"searchqa_{name}") or usual
        try:
            return float(written)
        except ValueError:
            raise pytest.UsageError(
                f"searchqa_{name} is {written!r}; write a number of 0 to 1."
            ) from None


class _Server:
    def __init__(self) -> None:
        from searchqa_client import SearchQA

        self.client = SearchQA()

    def __call__(
        self, question: str, answer: str, notes: list[tuple[str, str]], lang: str | None
    ) -> Verdict:
        given = [{"title": title, "content": content} for title, content in notes]
        handle = self.client.submit(question, answer, given, lang=lang)
        return _of_view(handle.wait(timeout=_SERVER_SECONDS))

    def close(self) -> None:
        self.client.close()


def _of_view(view: EvaluationView) -> Verdict:
    found = view.qa_evaluation
    if found is None:
        why = view.error or view.reason or view.status
        return Verdict("not_judged", summary=f"{why}.", judge=view.judge_model)
    phase = view.feedback.groundedness if view.feedback else None
    return _verdict(
        found.outcome or _OUTCOMES.get(found.confidence, "undecided"),
        *(found.correctness, found.utility, found.summary),
        f"{view.provider}:{view.model}",
        [
            Claim(each.claim, each.verdict, each.note_index, each.reasoning)
            for each in (phase.claims if phase else ())
        ],
        by_rules=view.judged_by == "rules",
    )


class _Rules:
    """The package `searchqa` in a process of its own: its modules have names that the code under
    test may have too."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-m", "app.judges.published.offline"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )

    def __call__(
        self, question: str, answer: str, notes: list[tuple[str, str]], lang: str | None
    ) -> Verdict:
        given = {"question": question, "answer": answer, "notes": notes, "lang": lang}
        with self._lock:
            reply = self._ask(json.dumps(given))
        if reply["outcome"] is None:
            return Verdict("not_judged", summary="It has no notes to be judged by.", judge="rules")
        claims = [Claim(each.pop("claim"), **each) for each in reply["claims"]]
        scores = reply["correctness"], reply["utility"], reply["summary"]
        return _verdict(
            reply["outcome"], *scores, f"offline:{reply['judge']}", claims, by_rules=True
        )

    def _ask(self, line: str) -> Any:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            print(line, file=self._process.stdin, flush=True)
            return json.loads(self._process.stdout.readline())
        except (OSError, ValueError):
            raise RuntimeError(
                "The rules of the package `searchqa` ended; install it anew, or set SEARCHQA_URL."
            ) from None

    def close(self) -> None:
        self._process.communicate()


def _verdict(
    outcome: str,
    correctness: float,
    utility: float,
    summary: str,
    judge: str,
    claims: list[Claim],
    *,
    by_rules: bool,
) -> Verdict:
    """Figures of rules say nothing where they could not tell."""
    decided = not by_rules or outcome in {"matches", "mismatch"}
    faithfulness, relevancy = (correctness, utility) if decided else (None, None)
    return Verdict(outcome, faithfulness, relevancy, summary, judge, tuple(claims))


@pytest.fixture(scope="session")
def searchqa_judge() -> Iterator[Judge]:
    """Who judges in this session; override it to judge otherwise."""
    if os.environ.get("SEARCHQA_URL"):
        judge: _Server | _Rules = _Server()
    elif _has_rules():
        judge = _Rules()
    else:
        pytest.fail(_NO_JUDGE, pytrace=False)
    yield judge
    judge.close()


def _has_rules() -> bool:
    try:
        importlib.metadata.distribution("searchqa")
    except importlib.metadata.PackageNotFoundError:
        return False
    return True


@pytest.fixture
def searchqa(searchqa_judge: Judge, request: pytest.FixtureRequest) -> Checker:
    """Judges the answers of the code under test."""
    return Checker(searchqa_judge, request.node)


def pytest_addoption(parser: pytest.Parser) -> None:
    for name, usual in _THRESHOLDS.items():
        parser.addini(f"searchqa_{name}", f"least {name} of checked answers, 0 to 1 ({usual})")
    parser.addini("searchqa_fail_undecided", "fail where the judge cannot tell", type="bool")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "searchqa(faithfulness, relevancy): least figures of checks")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """The verdicts of all tests, those of workers of pytest-xdist too."""
    reports = [each for found in terminalreporter.stats.values() for each in found]
    calls = [each for each in reports if getattr(each, "when", None) == "call"]
    rows = [row for report in calls for row in _rows(report)]
    if not rows:
        return
    header = ("test", "outcome", "faithfulness", "doubted sentence")
    widths = [max(len(row[at]) for row in [header, *rows]) for at in range(3)]
    terminalreporter.section("SearchQA")
    for row in (header, *rows):
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=False)]
        terminalreporter.write_line("  ".join([*cells, row[3]]).rstrip())


def _rows(report: pytest.TestReport) -> Iterator[tuple[str, str, str, str]]:
    values = [str(value) for name, value in report.user_properties if name in _PROPERTIES]
    for at in range(0, len(values), len(_PROPERTIES)):
        outcome, faithfulness, doubted = values[at : at + len(_PROPERTIES)]
        yield report.nodeid, outcome, faithfulness or "-", " ".join(doubted.split())
