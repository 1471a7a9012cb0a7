"""Conditions of `--where` become fields of a filter, or one sentence says what is wrong."""

import pytest
from app.cli.where import parse_where

from app.platform.errors import SetupError
from app.quality.rejudging.filter import RejudgeFilter


def test_several_conditions_must_all_hold() -> None:
    terms = ["confidence=low", " correctness < 0.5 ", "degraded=yes", "judge=ollama:qwen3:8b"]

    fields = parse_where(terms)

    assert fields == {
        "confidence": "low",
        "correctness_below": 0.5,
        "degraded": True,
        "judge_model": "ollama:qwen3:8b",
    }
    assert RejudgeFilter.model_validate(fields).confidence == "low"


@pytest.mark.parametrize(
    ("term", "told"),
    [
        ("confidence", "is not a condition"),
        ("id='x' OR 1=1", "is not a condition"),
        ("correctness=0.5", "is not a condition"),
        ("utility<high", "utility must be 0 to 1"),
        ("utility<1.5", "utility must be 0 to 1"),
        ("utility<nan", "utility must be 0 to 1"),
        ("degraded=maybe", "degraded must be true or false"),
    ],
)
def test_what_is_no_condition_is_refused_with_what_would_be_one(term: str, told: str) -> None:
    with pytest.raises(SetupError, match=told):
        parse_where([term])


def test_a_field_is_asked_for_once() -> None:
    with pytest.raises(SetupError, match="two conditions"):
        parse_where(["lang=ko", "lang=en"])


def test_a_filter_outlives_being_stored_with_its_job() -> None:
    which = RejudgeFilter.model_validate({"status": "failed", "since": "2026-01-31T09:00:00Z"})

    stored = which.until_now().model_dump(mode="json", exclude_none=True)

    assert set(stored) == {"status", "since", "until"}
    again = RejudgeFilter.model_validate(stored).parameters()
    assert again["status"] == "failed"
    assert again["since"] == which.since
