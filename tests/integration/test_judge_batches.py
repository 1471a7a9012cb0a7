"""Rows that are judged in batches of their judge's provider: collected, handed in, read, judged."""

from collections.abc import AsyncIterator

import pytest

from batch_world import (
    ANTHROPIC,
    OPENAI,
    all_ended,
    all_judged,
    batch_settings,
    batching,
    rows_for_batches,
    stub_with_batches,
)
from stub_server import StubServer
from verdict_world import World


@pytest.fixture
async def stub() -> AsyncIterator[StubServer]:
    async with stub_with_batches() as stub:
        yield stub


class TestTheReply:
    @pytest.mark.parametrize("judge", [OPENAI, ANTHROPIC])
    async def test_makes_the_verdict_without_a_call(
        self, world: World, stub: StubServer, judge: str
    ) -> None:
        ids = await rows_for_batches(world, 3, judge)

        async with batching(world, **batch_settings(stub)):
            rows = await all_judged(world, ids)
            (batch,) = await all_ended(world)

        assert [row["status"] for row in rows] == ["succeeded"] * 3
        assert all(row["is_current"] and not row["degraded"] for row in rows)
        assert not any(row["from_cache"] for row in rows)
        assert stub.batches is not None
        assert stub.count == 0, "no call"
        assert stub.batches.stats()["paid"] == 3
        assert (batch["state"], batch["error"]) == ("ended", None)
        assert (batch["answers"], batch["requests"], batch["stored"]) == (3, 3, 3)
        calls = await world.rows("SELECT * FROM judge_calls")
        assert {(call["evaluation_id"], call["attempt"]) for call in calls} == {
            (id_, 1) for id_ in ids
        }
        assert all(call["batched"] and call["content"] for call in calls)
        assert sum(call["cost_usd"] for call in calls) == batch["cost_usd"] > 0
        assert sum(row["cost_usd"] for row in rows) == batch["cost_usd"]
