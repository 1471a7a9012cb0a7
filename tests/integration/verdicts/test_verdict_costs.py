"""What a verdict cost: every reply that was paid for, also those that were of no use."""

from decimal import Decimal

import pytest

from app.ai_router.types import ChatResponse
from app.verdicts.lifecycle.lifecycle import StoredCall
from app.verdicts.lifecycle.outcome import Lease, Outcome, Release, Retry, Usage
from verdict_world import World, store_answers, verdict

PRICE = Decimal("0.001")
USAGE = Usage(100, 20, PRICE)


async def attempt(world: World, new_id: object, outcome: Outcome) -> Lease:
    """One attempt with one paid reply."""
    (lease,) = await world.lifecycle.claim([new_id])  # type: ignore[list-item]
    reply = ChatResponse("{}", "openai", "m", 100, 20, PRICE)
    await world.lifecycle.save_replies([StoredCall(lease, "request", "openai", "m", reply)])
    assert await world.lifecycle.record([(lease, outcome)])
    return lease


@pytest.mark.parametrize(
    "before", [Retry("malformed: no JSON", 0, ("request",)), Release()], ids=["retry", "release"]
)
async def test_replies_of_earlier_attempts_count(world, before):
    (new,) = await store_answers(world)

    await attempt(world, new.evaluation_id, before)
    await attempt(world, new.evaluation_id, verdict(usage=USAGE))

    row = await world.row(new.evaluation_id)
    assert (row["prompt_tokens"], row["completion_tokens"]) == (200, 40)
    assert row["cost_usd"] == 2 * PRICE


async def test_a_first_attempt_knows_what_it_cost(world):
    (new,) = await store_answers(world)

    await attempt(world, new.evaluation_id, verdict(usage=USAGE))

    assert (await world.row(new.evaluation_id))["cost_usd"] == PRICE
