"""The proof by the second half of labels; `prove` gets everything as rows."""

from collections import Counter
from typing import Any

import pytest

from app.experiments.benches.learning import LearningResult, StoredLearning, prove, teaches
from app.experiments.benches.views import BenchFrame, CellSize
from app.platform.ids import unit_hash

RULES = "offline:rules"
LABELS = 160


def learning(**changes: Any) -> StoredLearning:
    about = {"judge_model": RULES, "dry_run": False, "estimated_usd": 0, "made_by": "test"}
    counts = dict.fromkeys(("examples", "learned_on", "proven_on"), 0)
    nothing = dict.fromkeys(("prompt", "candidate", "threshold"))
    return StoredLearning.model_validate(about | counts | nothing | changes)


def proven(of: StoredLearning, *scores: tuple[float | None, float | None]) -> LearningResult:
    """Every other answer is right. scores: of each judge, those of right and of wrong answers."""
    rows = [
        {
            "position": n,
            "judge": judge,
            "ref": f"answer {n}",
            "cell": 0,
            "hallucinated": n % 2 == 1,
            "score": score,
            "confidence": None if score is None else "high" if score >= 0.8 else "low",
            "cost_usd": None,
        }
        for n in range(LABELS)
        for judge, both in zip(of.judges, scores, strict=True)
        for score in [both[n % 2]]
    ]
    frame = BenchFrame(answers=4_000, cells=[CellSize(answers=4_000, labels=LABELS)], strata=[])
    found = prove(of, rows, frame)
    assert found.result
    assert (found.guarantee is not None) is (found.result.outcome == "better")
    return found.result


def test_a_threshold_that_tells_right_from_wrong_is_better():
    found = proven(learning(), (0.95, 0.85))
    assert (found.outcome, found.change, found.threshold) == ("better", "threshold", 0.95)
    assert found.labels == sum(not teaches(f"answer {n}") for n in range(LABELS))
    assert found.agreement
    assert found.agreement.second == 1
    assert found.highs == found.highs_right > 30
    assert found.precision == pytest.approx(0.1 ** (1 / found.highs))


def test_the_threshold_is_the_lowest_that_agrees_most_on_the_half_that_teaches():
    def row(n: int) -> dict[str, Any]:
        score = 0.8 + n * 37 % LABELS // 4 / 200
        wrong = unit_hash(str(n).encode(), b"") > (score - 0.75) * 5
        about = {"position": n, "judge": RULES, "ref": str(n), "cell": n % 2, "cost_usd": None}
        return about | {"hallucinated": wrong, "score": score, "confidence": "high"}

    rows = [row(n) for n in range(LABELS)]
    # A label of the second cell stands for three answers.
    cells = [CellSize(answers=size, labels=LABELS // 2) for size in (80, 240)]
    found = prove(learning(), rows, BenchFrame(answers=320, cells=cells, strata=[])).result

    taught = [each for each in rows if teaches(each["ref"])]
    counts = Counter(each["cell"] for each in taught)

    def agreement(threshold: float) -> float:
        return sum(
            cells[each["cell"]].answers / counts[each["cell"]]
            for each in taught
            if (each["score"] >= threshold) is not each["hallucinated"]
        )

    scores = sorted({each["score"] for each in taught})
    assert found
    assert found.threshold == max(scores, key=lambda each: round(agreement(each), 6))
    assert scores[1] < found.threshold < scores[-1]


@pytest.mark.parametrize(
    ("changes", "scores"),
    [
        ({}, [(0.9, 0.9)]),
        ({}, [(0.95, 0.3)]),
        # Its guarantee stays.
        ({"threshold": 0.82}, [(0.95, 0.85)]),
        ({"judge_model": "openai:m", "candidate": "workspace:learned@1"}, [(0.9, 0.3)] * 2),
        # It never calls anything high, or has no verdict.
        ({"judge_model": "openai:m", "candidate": "workspace:learned@1"}, [(0.9, 0.9), (0.3, 0.3)]),
        (
            {"judge_model": "openai:m", "candidate": "workspace:learned@1"},
            [(0.9, 0.9), (None, None)],
        ),
    ],
)
def test_what_is_not_better_is_not_called_so(changes, scores):
    assert proven(learning(**changes), *scores).outcome == "not_better"


def test_examples_are_better_where_they_keep_wrong_answers_from_high():
    given = {"judge_model": "openai:m", "candidate": "workspace:learned@1"}
    found = proven(learning(**given), (0.9, 0.9), (0.9, 0.3))
    assert (found.outcome, found.change, found.threshold) == ("better", "examples", 0.8)
