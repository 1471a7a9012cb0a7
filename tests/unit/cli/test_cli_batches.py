"""What model calls will cost, before they are made."""

from app.cli.output import estimate


def test_an_estimate_has_both_prices_where_the_judge_has_batches():
    cost = {"calls": 10, "prompt_tokens": 5, "completion_tokens": 5, "cost_usd": 0.5}
    both = {"batch_cost_usd": 0.25, "bulk_by": "batch"}

    assert "$0.2500 in batches (the policy has bulk_by=batch)" in estimate(cost | both)
    assert "batches" not in estimate(cost | both | {"batch_cost_usd": None})
