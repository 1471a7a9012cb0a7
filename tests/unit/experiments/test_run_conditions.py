"""Conditions of `searchqa run --fail-if`, read and put beside those of `--fail-under`."""

import pytest
from typer import BadParameter

from app.cli.run_conditions import Condition, parse_conditions, with_conditions
from cases import for_each


@for_each(
    ("written", "gates", "expected"),
    [
        (["recall below .8"], {}, {"recall": 0.8}),
        (["recall below .8"], {"recall": 0.5, "mrr": 0.2}, {"recall": 0.8, "mrr": 0.2}),
        (["recall below .8", "recall below .5"], {"recall": 0.6}, {"recall": 0.8}),
        (["recall drops by .1"], {"recall": 0.6}, {"recall": 0.6}),
    ],
)
def test_the_highest_number_of_a_metric_counts(written, gates, expected):
    assert with_conditions(gates, [Condition.parse(each) for each in written]) == expected


@for_each(
    ("written", "against"),
    [
        (["recall below 80"], None),
        (["recal below .8"], None),
        (["recall drops by .1"], None),
        (["recall below .8"], "main"),
    ],
)
def test_unreadable_or_incomparable_input_is_refused(written, against):
    with pytest.raises(BadParameter):
        parse_conditions(written, against)
