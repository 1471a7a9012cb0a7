"""What became of a question in the loop, and how well: the figures of refine.py."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import mean

from app.answering.refine.state import Iteration, RefinementState
from app.judges.published.refinement import Document
from app.quality.metrics.agreement import auroc

DEPTH = 5
# What another system's authors report, on data and by scores of their own.
REPORTED = {"precision": "0.45 → 0.72 (+60 %)", "recall": "0.50 → 0.68 (+36 %)"}
REPORTED["overall"] = "0.58 → 0.78 (+34 %)"


@dataclass(frozen=True)
class Case:
    """A question as it was asked and as it is made vague, its answer and relevant documents;
    title: of the article it is about."""

    clear: str
    vague: str
    expected: str
    title: str
    relevant: frozenset[str]


@dataclass(frozen=True)
class Outcome:
    """Where the loop ended, and what the clear question would have found."""

    case: Case
    clear: tuple[Document, ...]
    state: RefinementState

    @property
    def first(self) -> Iteration:
        return self.state.iterations[0]

    @property
    def offered(self) -> Iteration:
        """The best iteration: what the reader gets."""
        return self.state.iterations[self.state.best or 0]

    @property
    def last(self) -> Iteration:
        """The last search that was made, whatever became of it."""
        return self.state.iterations[-1]

    @property
    def tried(self) -> bool:
        return len(self.state.iterations) > 1


def precision(documents: Sequence[Document], relevant: frozenset[str]) -> float:
    """Share of the found documents that are relevant; 0 when none was found."""
    return sum(one.id in relevant for one in documents) / len(documents) if documents else 0.0


def recall(documents: Sequence[Document], relevant: frozenset[str]) -> float:
    """Share of the relevant documents that were found."""
    return len(relevant & {one.id for one in documents}) / len(relevant)


def reciprocal_rank(documents: Sequence[Document], relevant: frozenset[str]) -> float:
    ranks = (rank for rank, one in enumerate(documents, start=1) if one.id in relevant)
    return 1 / next(ranks, float("inf"))


def hit_at_1(documents: Sequence[Document], relevant: frozenset[str]) -> float:
    return float(bool(documents) and documents[0].id in relevant)


def holds(answer: str | None, expected: str) -> float:
    """Whether the expected answer stands in this one, whatever the spacing."""
    return float("".join(expected.split()) in "".join((answer or "").split()))


RETRIEVAL: dict[str, Callable[[Sequence[Document], frozenset[str]], float]] = {
    "precision": precision,
    "recall": recall,
    "hit@1": hit_at_1,
    "MRR": reciprocal_rank,
}


def report(outcomes: Sequence[Outcome], label: str) -> None:
    print(f"\n{label}: {len(outcomes)} questions")
    if not outcomes:
        return
    print(f"{'':<18}{'clear':>8}{'vague':>8}{'last':>8}{'offered':>9}{'change':>9}  elsewhere")
    for name, measure in RETRIEVAL.items():
        stages = [
            mean(measure(documents or (), one.case.relevant) for one, documents in stage)
            for stage in (
                [(one, one.clear) for one in outcomes],
                [(one, one.first.documents) for one in outcomes],
                [(one, one.last.documents) for one in outcomes],
                [(one, one.offered.documents) for one in outcomes],
            )
        ]
        line(f"{name}@{DEPTH}" if "@" not in name else name, stages, REPORTED.get(name, ""))
    held = [
        mean(holds(iteration.answer, one.case.expected) for one, iteration in stage)
        for stage in (
            [(one, one.first) for one in outcomes],
            [(one, one.offered) for one in outcomes],
        )
    ]
    line("expected answer", [None, held[0], None, held[1]], "")
    scores = [
        mean(iteration.evaluation.overall_score for iteration in stage if iteration.evaluation)
        for stage in ([one.first for one in outcomes], [one.offered for one in outcomes])
    ]
    line("overall score", [None, scores[0], None, scores[1]], REPORTED["overall"])


def line(name: str, stages: Sequence[float | None], reported: str) -> None:
    before, after = stages[1], stages[3]
    change = f"{after / before - 1:+.1%}" if before and after is not None else ""
    cells = ["" if stage is None else f"{stage:.3f}" for stage in stages]
    print(f"{name:<18}{cells[0]:>8}{cells[1]:>8}{cells[2]:>8}{cells[3]:>9}{change:>9}  {reported}")


def summarise(outcomes: Sequence[Outcome]) -> None:
    report(outcomes, "All")
    tried = [one for one in outcomes if one.tried]
    report(tried, "Searched again")
    report([one for one in tried if one.state.improved], "Another answer offered")
    for name, counter in (
        ("stopped", Counter(str(one.state.stop) for one in outcomes)),
        ("rewritten by", Counter(str(one.last.rewritten_by) for one in tried)),
        ("judged by", Counter(_judges(one) for one in outcomes)),
    ):
        print(f"\n{name}: " + ", ".join(f"{key} {n}" for key, n in counter.most_common()), end="")
    gained, lost = (
        sum(
            (
                holds(one.offered.answer, one.case.expected)
                - holds(one.first.answer, one.case.expected)
            )
            == sign
            for one in tried
        )
        for sign in (1, -1)
    )
    pairs = [
        (one.first.evaluation.overall_score, bool(holds(one.first.answer, one.case.expected)))
        for one in outcomes
        if one.first.evaluation
    ]
    area = auroc(pairs)
    known = "–" if area is None else f"{area:.3f}"
    print(f"\nAUROC of the first score for the expected answer: {known}", end="")
    print(f"\nexpected answer gained by {gained} questions, lost by {lost}")


def _judges(outcome: Outcome) -> str:
    ways = {evaluation.heuristic for _, evaluation in outcome.state.evaluations}
    if len(ways) > 1:
        return "both"
    return "heuristic" if True in ways else "model"
