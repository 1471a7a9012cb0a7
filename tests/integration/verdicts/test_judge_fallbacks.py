"""When a judge cannot, the next of its workspace's chain judges, and the row says so."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import pytest

from cases import TIMEOUT_SECONDS, eventually
from judge_replies import well
from stub_server import Exchange, StubServer, status
from verdict_world import World, answer, set_policy, settings
from worker.judge_loop import JudgeLoop
from workers import Vendor, recheck_once, run, started

FIRST, SECOND, THIRD = "openai:first", "openai:second", "openai:third"


Running = Callable[..., AbstractAsyncContextManager[JudgeLoop]]


@pytest.fixture
def judging(world: World, judge: StubServer, vendor: Vendor) -> Running:
    """A worker, and the policy that judges by FIRST, else SECOND, else THIRD."""

    @asynccontextmanager
    async def running(**policy: Any) -> AsyncIterator[JudgeLoop]:
        # What bounds calls and opens the circuit breaker is tested in test_failing_judges.py.
        server = settings(
            openai_base_url=judge.base_url,
            max_attempts=2,
            retry_base=0.01,
            max_calls_per_answer=100,
            breaker_failures=1000,
        )
        chain = {"judge_model": FIRST, "fallback_models": [SECOND, THIRD], "phases": []}
        await set_policy(world, server, **chain | policy)
        async with started(JudgeLoop(server, world.url)) as loop:
            yield loop

    return running


async def test_after_its_last_try_the_next_model_judges(world, judging, vendor):
    vendor.models["first"] = status(503)
    async with judging() as loop:
        id_ = await answer(world)

        row = await run(world, loop, id_, times=2)
        assert (row["status"], row["reason"], row["tries"]) == ("queued", "fallback", 0)
        assert row["judge_model"] == SECOND
        row = await run(world, loop, id_)

    assert (row["status"], row["model"], row["degraded"]) == ("succeeded", "second", False)
    assert row["judge_key"].split("/")[1] == FIRST, "what was asked for"
    assert row["fallback_because"].startswith("openai:first: transient: ")
    assert "503" in row["fallback_because"]
    assert await world.events(id_) == [
        *("queued", "running", "retrying", "running", "queued", "running", "succeeded")
    ]


async def test_each_of_the_chain_has_its_tries_and_then_the_rules_judge(world, judging, vendor):
    vendor.models = dict.fromkeys(("first", "second", "third"), status(500))
    async with judging() as loop:
        id_ = await answer(world)
        row = await run(world, loop, id_, times=6)

    assert (row["status"], row["attempt"]) == ("succeeded", 6)
    assert (row["provider"], row["degraded"]) == ("offline", True)
    assert row["fallback_because"].count("openai:") == 2
    assert row["judge_model"] == THIRD


@pytest.mark.parametrize(
    ("back", "because"), [(FIRST, 0), (SECOND, 1), (THIRD, 2), ("openai:new", 3)]
)
async def test_a_verdict_of_the_rules_is_judged_again_by_whoever_of_the_chain_is_back(
    world, judging, vendor, back, because
):
    vendor.models = dict.fromkeys(("first", "second", "third"), status(500))
    async with judging() as loop:
        await run(world, loop, await answer(world), times=6)
        assert await recheck_once(world, pause=300) == 0, "nobody is back"
        vendor.models.pop(back.partition(":")[2], None)
        await set_policy(world, settings(openai_api_key="k"), judge_model=back)
        await run(world, loop, await answer(world))
        await set_policy(
            *(world, settings(openai_api_key="k")),
            judge_model=back if because == 3 else FIRST,
            fallback_models=[SECOND, THIRD],
        )

        assert await recheck_once(world, pause=300) == 1

        (again,) = await world.rows("SELECT * FROM qa_evaluations WHERE status = 'queued'")
        assert again["judge_model"] == back
        assert again["judge_key"].split("/")[1] == FIRST, "what was asked for"
        assert (again["fallback_because"] or "").count("transient: ") == because
        row = await run(world, loop, again["id"])

    assert (row["status"], row["is_current"], row["model"]) == (
        *("succeeded", True),
        back.partition(":")[2],
    )


async def test_judges_that_nobody_asks_are_tried_in_turn(world, judging, vendor):
    vendor.models = dict.fromkeys(("first", "second"), status(500))
    tried = []
    async with judging(fallback_models=[SECOND]) as loop:
        await run(world, loop, await answer(world), times=4)
        for _ in range(3):
            assert await recheck_once(world, pause=0) == 1
            assert await recheck_once(world, pause=0) == 0, "it is at the judge"
            (again,) = await world.rows("SELECT * FROM qa_evaluations WHERE status = 'queued'")
            tried.append(again["judge_model"])
            assert (await run(world, loop, again["id"], times=2))["status"] == "failed"
        assert await recheck_once(world, pause=300) == 0, "they have a rest"

    assert tried == [FIRST, SECOND, FIRST]


async def test_a_request_that_one_model_refuses_goes_to_the_next_at_once(world, judging, vendor):
    vendor.models["first"] = status(413)
    async with judging() as loop:
        id_ = await answer(world)
        row = await run(world, loop, id_, times=2)

    assert (row["status"], row["model"], row["attempt"]) == ("succeeded", "second", 2)


class TestAPausedJudge:
    async def test_gives_its_rows_away_at_the_next_tick(self, world, judging, vendor):
        vendor.models |= {"first": status(401), "second": status(401)}
        async with judging() as loop:
            id_ = await answer(world)
            row = await run(world, loop, id_)
            assert (row["status"], row["reason"]) == ("queued", "judge_paused")
            fresh = await answer(world)

            assert await world.lifecycle.fall_back() == 2
            assert (await world.row(fresh))["judge_model"] == SECOND
            await run(world, loop, id_)
            assert await world.lifecycle.fall_back() == 2, "the second is paused now as well"
            row = await run(world, loop, id_)

        assert (row["status"], row["model"], row["tries"]) == ("succeeded", "third", 0)
        assert row["fallback_because"].startswith("openai:first is paused: ")
        assert "; openai:second is paused: " in row["fallback_because"]

    async def test_is_tried_again_by_the_next_row_that_comes_and_then_judges_as_before(
        self, world, judging, vendor
    ):
        vendor.models["first"] = status(401)
        async with judging() as loop:
            await run(world, loop, await answer(world))
            await world.lifecycle.fall_back()
            await world.rows("UPDATE judge_pauses SET probe_at = now()")
            await world.lifecycle.probe_paused()
            vendor.models.clear()
            probe = await answer(world)

            await world.lifecycle.probe_paused()
            assert await world.lifecycle.fall_back() == 0, "one row is to try it"
            row = await run(world, loop, probe)

        assert (row["status"], row["model"], row["fallback_because"]) == (
            *("succeeded", "first"),
            None,
        )
        assert await world.rows("SELECT * FROM judge_pauses") == []

    async def test_has_its_rows_wait_where_nobody_can_stand_in(self, world, judging, vendor):
        vendor.models = dict.fromkeys(("first", "second"), status(401))
        async with judging(fallback_models=[SECOND]) as loop:
            id_ = await answer(world)
            await run(world, loop, id_)
            await world.lifecycle.fall_back()
            row = await run(world, loop, id_)
            assert await world.lifecycle.fall_back() == 0

        assert (row["status"], row["reason"]) == ("queued", "judge_paused")

    async def test_does_not_send_an_answer_back_to_a_judge_that_has_failed_with_it(
        self, world, judging, vendor
    ):
        vendor.models = {"first": status(413), "second": status(401)}
        async with judging(fallback_models=[SECOND]) as loop:
            id_ = await answer(world)
            await run(world, loop, id_, times=2)
            assert await world.lifecycle.fall_back() == 0
            row = await world.row(id_)

        assert (row["status"], row["reason"]) == ("queued", "judge_paused")
        assert (row["judge_model"], row["attempt"]) == (SECOND, 2)

    async def test_is_not_tried_with_an_answer_that_waits_for_money(self, world, judging, vendor):
        vendor.models["first"] = status(401)
        async with judging(fallback_models=[]) as loop:
            stuck, unpaid = await answer(world), await answer(world)
            await run(world, loop, stuck)
        await world.rows("UPDATE qa_evaluations SET tries = 1 WHERE id = %s", stuck)
        await world.rows(
            "UPDATE qa_evaluations SET reason = 'budget_spent', run_at = now() + interval '1 day'"
            " WHERE id = %s",
            unpaid,
        )
        await world.lifecycle.probe_soon()
        await world.lifecycle.probe_paused()

        assert (await world.row(stuck))["reason"] == "probe"
        assert (await world.row(unpaid))["reason"] == "budget_spent"


async def test_one_process_judges_by_rules_and_by_models(world, judging, judge, vendor):
    """The server's own judge is the rules; many more calls are in flight than rules may be."""
    together = asyncio.Event()

    async def wait(exchange: Exchange) -> None:
        await together.wait()
        await well()(exchange)

    vendor.models["first"] = wait
    async with judging(quality_gate=False) as loop:
        ids = [await answer(world) for _ in range(40)]
        await set_policy(world, settings(), judge_model="offline:rules")
        ids += [await answer(world) for _ in range(4)]
        running = asyncio.wrap_future(loop.submit(ids))
        async with asyncio.timeout(TIMEOUT_SECONDS):
            await judge.until_in_flight(40)
            await eventually(lambda: _succeeded(world), when=lambda count: count >= 4)
            together.set()
            await running

    assert await _succeeded(world) == 44


async def _succeeded(world: World) -> int:
    rows = await world.rows("SELECT id FROM qa_evaluations WHERE status = 'succeeded'")
    return len(rows)
