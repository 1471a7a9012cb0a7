"""The one word that a verdict comes to: no statement beside it may contradict it."""

from itertools import product
from typing import Any, get_args

import pytest

from app.judges.answer import Outcome, confidence_of
from app.verdicts.reading.state import AnswerState, Findings, answer_state

SUPPORTED = {"supported": 3, "partly": 0, "unsupported": 0, "contradicted": 0}


def findings(**change: Any) -> Findings:
    """Of an answer that a model confirms, if nothing else is said."""
    found: dict[str, Any] = {"outcome": None, "correctness": 1.0, "utility": 0.9, "issues": 0}
    found |= {"whole": True, "needs_improvement": False, **SUPPORTED, **change}
    sure = found["whole"] and not found["issues"] and not found["unsupported"]
    confidence = confidence_of(found["correctness"], found["utility"], sure=sure)
    return Findings(**{"confidence": confidence, **found})


@pytest.mark.parametrize(
    ("change", "state"),
    [
        ({}, "confirmed"),
        # Everything is supported, and the answer is of no use.
        ({"utility": 0.3}, "off_topic"),
        ({"utility": 0.6}, "incomplete"),
        ({"needs_improvement": True, "confidence": "medium"}, "incomplete"),
        ({"confidence": "medium"}, "confirmed"),
        ({"whole": False}, "partly"),
        ({"issues": 1}, "partly"),
        ({"supported": 2, "partly": 1, "correctness": 0.83, "issues": 1}, "partly"),
        ({"supported": 2, "unsupported": 1, "correctness": 0.67, "issues": 1}, "partly"),
        (
            {"supported": 2, "unsupported": 1, "contradicted": 1, "correctness": 0.67},
            "contradicted",
        ),
        ({"supported": 0, "unsupported": 2, "correctness": 0, "issues": 2}, "not_in_notes"),
        ({"supported": 0, "confidence": "medium"}, "not_judged"),
        ({"supported": None}, "confirmed"),
        ({"supported": None, "correctness": 0.6}, "partly"),
        ({"supported": None, "correctness": 0.2, "issues": 1}, "not_in_notes"),
        ({"outcome": "matches", "utility": 0.2, "confidence": "high"}, "confirmed"),
        ({"outcome": "matches", "needs_improvement": True}, "confirmed"),
        ({"outcome": "mismatch", "confidence": "low"}, "contradicted"),
        ({"outcome": "mismatch", "unsupported": 1, "contradicted": 1}, "contradicted"),
        ({"outcome": "mismatch", "supported": 0, "unsupported": 1}, "not_in_notes"),
        ({"outcome": "undecided", "unsupported": 2, "contradicted": 2}, "not_judged"),
        ({"outcome": "rightly_refused", "correctness": 0}, "rightly_refused"),
        ({"outcome": "falsely_refused"}, "falsely_refused"),
    ],
)
def test_one_word_for_a_verdict(change: dict[str, Any], state: AnswerState) -> None:
    assert answer_state(findings(**change)) == state


def test_no_statement_beside_the_word_contradicts_it() -> None:
    """Over all findings that can be stored together."""
    every = product(
        (None, *get_args(Outcome)),
        (0.0, 0.5, 0.9, 1.0),
        (0.2, 0.6, 0.9),
        (False, True),
        (0, 2),
        (None, 0, 1),
        (0, 1),
        (0, 1),
    )
    for outcome, correctness, utility, poor, issues, supported, unsupported, contradicted in every:
        if supported is None and unsupported:
            continue
        found = findings(
            outcome=outcome,
            correctness=correctness,
            utility=utility,
            needs_improvement=poor,
            issues=issues,
            supported=supported,
            unsupported=unsupported,
            contradicted=min(contradicted, unsupported),
        )
        if found.confidence == "high" and (poor or outcome in ("mismatch", "undecided")):
            continue
        state = answer_state(found)
        if outcome and outcome.endswith("refused"):
            assert state == outcome
        elif state == "confirmed":
            sound = utility >= 0.7 and not (poor or issues or unsupported)
            assert outcome == "matches" or sound
        elif state in ("contradicted", "partly", "not_in_notes"):
            assert found.confidence != "high"
