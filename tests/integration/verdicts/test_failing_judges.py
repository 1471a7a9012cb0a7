"""A judge that fails: calls have a bound, its circuit breaker opens for all workers, others judge
in its place at once, one probe at a time brings it back."""

import asyncio
import datetime as dt
import uuid
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from typing import Any

import pytest

from app.platform.broker import Queue
from app.verdicts.lifecycle.lifecycle import VerdictLifecycle
from app.verdicts.lifecycle.outcome import Fallback, JudgeFailure, Pause, Retry
from app.verdicts.lifecycle.retry import UNSUITABLE_ANSWERS, reason_in_words
from judge_replies import by_request, saying, well
from stub_server import Behaviour, Exchange, StubServer, answer, reply_text, status
from verdict_world import World, answers, set_policy, settings, verdict
from worker.judge_loop import JudgeLoop
from workers import recheck_once

FIRST, SECOND, THIRD = "openai:first", "openai:second", "openai:third"
GARBAGE = answer(reply_text("no json here"))
FAILURES = 3
# Verdict and claims have a call each.
TWO_CALLS = {"quality_gate": True, "phases": ["groundedness:model"]}
ALL_BY_MODEL = ["groundedness:model", "completeness:model", "next_steps:model"]

Workers = Callable[..., AbstractAsyncContextManager[list[JudgeLoop]]]


@pytest.fixture
def workers(world: World, judge: StubServer) -> Workers:
    """Worker loops of processes of their own, as far as PostgreSQL can see, that judge by FIRST."""

    @asynccontextmanager
    async def running(
        count: int = 1, *, policy: dict[str, Any] | None = None, **changes: Any
    ) -> AsyncIterator[list[JudgeLoop]]:
        server = settings(
            **{"openai_base_url": judge.base_url, "openai_api_key": "k", "retry_base": 0.01}
            | {"breaker_failures": FAILURES}
            | changes
        )
        world.lifecycle = VerdictLifecycle(world.pool, server)
        chosen = {"judge_model": FIRST, "phases": [], "quality_gate": False} | (policy or {})
        await set_policy(world, server, **chosen)
        async with AsyncExitStack() as opened:
            loops = [JudgeLoop(server, world.url) for _ in range(count)]
            for loop in loops:
                await asyncio.to_thread(loop.start)
                opened.push_async_callback(asyncio.to_thread, loop.close)
            yield loops

    return running


async def run(loop: JudgeLoop, ids: list[uuid.UUID]) -> None:
    await asyncio.wrap_future(loop.submit(ids))


async def run_to_the_end(world: World, loop: JudgeLoop, id_: uuid.UUID) -> dict[str, Any]:
    """As a worker and a dispatcher do, with no waits between the tries."""
    for _ in range(30):
        await world.rows("UPDATE qa_evaluations SET run_at = now() WHERE status = 'retrying'")
        await run(loop, [id_])
        row = await world.row(id_)
        if row["finished_at"] is not None:
            return row
        await world.lifecycle.fall_back()
    raise AssertionError(row)


async def open_breaker(world: World, loop: JudgeLoop) -> list[uuid.UUID]:
    """As many failed tries as it takes. The rows of them wait."""
    ids = await answers(world, FAILURES)
    await run(loop, ids)
    return ids


async def the_pause(world: World) -> dict[str, Any]:
    (pause,) = await world.rows("SELECT * FROM judge_pauses")
    return pause


def refuses_schemas(model: Behaviour) -> Behaviour:
    """As llama-cpp-python answers what it does not know."""

    async def behave(exchange: Exchange) -> None:
        known = exchange.request.json["response_format"]["type"] == "json_object"
        complaint = "'loc': ('body', 'response_format', 'type'), 'msg': \"Input should be 'text'\""
        await (model if known else status(500, complaint))(exchange)

    return behave


async def test_a_refused_form_costs_no_attempt_and_is_not_sent_by_other_processes(
    world, workers, judge
):
    judge.default = refuses_schemas(saying("supported"))
    for _ in range(2):
        async with workers() as (loop,):
            (id_,) = await answers(world)
            await run(loop, [id_])
            row = await world.row(id_)
            assert (row["status"], row["attempt"], row["degraded"]) == ("succeeded", 1, False)
        assert await world.rows("SELECT * FROM judge_failures") == []

    sent = [request.json["response_format"]["type"] for request in judge.requests]
    assert sent == ["json_schema", "json_object", "json_object"]
    await world.rows("UPDATE refused_parts SET refused_at = now() - interval '8 days'")
    async with workers() as (loop,):
        await run(loop, await answers(world))
    assert judge.requests[3].json["response_format"]["type"] == "json_schema"


async def test_a_judge_without_a_usable_reply_in_twenty_answers_is_unsuitable(
    world, workers, judge
):
    judge.default = GARBAGE
    async with workers(breaker_failures=1000, max_attempts=1) as (loop,):
        await run(loop, await answers(world, UNSUITABLE_ANSWERS - 1))
        assert await world.rows("SELECT * FROM judge_pauses") == []
        await run(loop, await answers(world))
        pause, asked = await the_pause(world), judge.count
        (id_,) = await answers(world)
        await run(loop, [id_])

        assert (pause["kind"], pause["reason"]) == ("failing", "unsuitable")
        assert pause["probe_at"] - pause["paused_at"] > dt.timedelta(hours=23)
        assert asked == 2 * UNSUITABLE_ANSWERS
        assert judge.count == asked, "it is not asked any more"
        assert "0" in reason_in_words("unsuitable", "ko")

        judge.default = well()
        await world.rows("UPDATE judge_pauses SET probe_at = now()")
        await world.lifecycle.probe_paused()
        assert (await the_pause(world))["probe_at"] - pause["probe_at"] > dt.timedelta(seconds=0)
        await run(loop, [id_])
        assert await world.rows("SELECT * FROM judge_failures") == []


class TestCallsOfAnAnswer:
    @pytest.mark.parametrize("misbehaviour", [GARBAGE, status(500)], ids=["garbage", "500"])
    @pytest.mark.parametrize("quality_gate", [True, False])
    async def test_are_at_most_six_whatever_fails_and_then_the_rules_judge(
        self, world, workers, judge, misbehaviour, quality_gate
    ):
        judge.default = misbehaviour
        policy = {"quality_gate": quality_gate}
        async with workers(policy=policy, max_attempts=20, breaker_failures=1000) as (loop,):
            (id_,) = await answers(world)
            row = await run_to_the_end(world, loop, id_)

        assert judge.count == 6
        assert (row["status"], row["degraded"]) == ("succeeded", True)
        assert row["error"].partition(":")[0] in {"malformed", "transient"}, "what was wrong"

    async def test_count_over_all_judges_of_a_chain_and_each_is_asked(self, world, workers, judge):
        judge.default = status(500)
        policy = {"fallback_models": [SECOND, THIRD], **TWO_CALLS}
        async with workers(policy=policy, breaker_failures=1000) as (loop,):
            (id_,) = await answers(world)
            row = await run_to_the_end(world, loop, id_)

        asked = [request.json["model"] for request in judge.requests]
        assert asked == ["first"] * 2 + ["second"] * 2 + ["third"] * 2
        assert row["degraded"]

    async def test_have_the_bound_that_the_operator_sets(self, world, workers, judge):
        judge.default = GARBAGE
        async with workers(max_calls_per_answer=3, judge_fallback="failed") as (loop,):
            (id_,) = await answers(world)
            row = await run_to_the_end(world, loop, id_)

        assert judge.count == 3
        assert row["status"] == "failed"
        assert row["error"].startswith("malformed: ")

    async def test_are_never_fewer_than_an_undisturbed_verdict_takes(self, world, workers, judge):
        async with workers(policy=TWO_CALLS, max_calls_per_answer=1) as (loop,):
            (id_,) = await answers(world)
            row = await run_to_the_end(world, loop, id_)

        assert judge.count == 2
        assert (row["provider"], row["degraded"]) == ("openai", False)

    async def test_are_twice_an_undisturbed_verdicts_where_the_phases_ask_models(
        self, world, workers, judge
    ):
        judge.default = status(500)
        policy = TWO_CALLS | {"phases": ALL_BY_MODEL}
        async with workers(policy=policy, breaker_failures=1000) as (loop,):
            (id_,) = await answers(world)
            await run_to_the_end(world, loop, id_)

        assert 6 < judge.count <= 12

    async def test_leave_out_the_ones_that_were_refused_for_a_wrong_key(
        self, world, workers, judge
    ):
        judge.default = status(401)
        async with workers(max_calls_per_answer=1) as (loop,):
            (id_,) = await answers(world)
            for _ in range(3):
                await world.lifecycle.probe_soon()
                await world.lifecycle.probe_paused()
                await run(loop, [id_])
            judge.default = well()
            await world.lifecycle.probe_soon()
            await world.lifecycle.probe_paused()
            row = await run_to_the_end(world, loop, id_)

        assert (row["status"], row["degraded"]) == ("succeeded", False)


class TestCircuitBreaker:
    async def test_opens_for_all_workers_when_none_of_many_tries_was_served(
        self, world, workers, judge
    ):
        judge.default = status(500)
        async with workers(2) as (one, other):
            first, second, third = await answers(world, 3)
            await run(one, [first])
            await run(other, [second])
            assert await world.rows("SELECT * FROM judge_pauses") == []
            await run(one, [third])
            asked = judge.count
            (fresh,) = await answers(world)
            await run(other, [fresh])

        pause = await the_pause(world)
        assert (pause["judge_model"], pause["kind"]) == (FIRST, "failing")
        assert pause["reason"] == "unavailable"
        assert judge.count == asked == 3
        row = await world.row(fresh)
        assert (row["status"], row["reason"]) == ("queued", "fallback")

    async def test_stays_closed_where_somebody_was_served_in_between(self, world, workers, judge):
        async with workers() as (loop,):
            for behaviour in [status(500), status(500), well()] * 3:
                judge.default = behaviour
                await run(loop, await answers(world))

        assert await world.rows("SELECT * FROM judge_pauses") == []

    async def test_drops_failures_older_than_its_window(self, world, workers, judge):
        judge.default = status(500)
        async with workers() as (loop,):
            for _ in range(2 * FAILURES):
                await run(loop, await answers(world))
                await world.rows(
                    "UPDATE judge_failures SET failed_at = ARRAY("
                    "SELECT at - interval '31 seconds' FROM unnest(failed_at) at)"
                )

        assert await world.rows("SELECT * FROM judge_pauses") == []

    async def test_has_the_rules_judge_what_waits_at_once_without_a_call(
        self, world, workers, judge
    ):
        judge.default = status(500)
        async with workers() as (loop,):
            ids = await open_breaker(world, loop)
            ids += await answers(world, 5)
            asked = judge.count
            assert await world.lifecycle.fall_back() == len(ids), (
                "retries do not wait for their time"
            )
            due = await world.lifecycle.take_due(Queue.LIVE, 100)
            await run(loop, due)

        rows = [await world.row(id_) for id_ in ids]
        assert sorted(due) == sorted(ids)
        assert {(r["status"], r["provider"], r["degraded"]) for r in rows} == {
            ("succeeded", "offline", True)
        }
        assert all("openai:first is failing: unavailable" in row["error"] for row in rows)
        assert judge.count == asked

    async def test_has_the_chain_judge_what_waits_at_once(self, world, workers, judge):
        judge.default = status(500)
        async with workers(policy={"fallback_models": [SECOND]}) as (loop,):
            ids = await open_breaker(world, loop) + await answers(world, 5)
            judge.default = well()
            assert await world.lifecycle.fall_back() == len(ids)
            await run(loop, ids)

        rows = [await world.row(id_) for id_ in ids]
        assert {(r["status"], r["model"], r["degraded"]) for r in rows} == {
            ("succeeded", "second", False)
        }
        assert all("openai:first is failing: " in row["fallback_because"] for row in rows)

    async def test_has_rows_wait_that_are_to_have_no_verdict_by_rules(self, world, workers, judge):
        judge.default = status(500)
        async with workers(policy={"judge_fallback": "failed"}) as (loop,):
            ids = await open_breaker(world, loop) + await answers(world)
            assert await world.lifecycle.fall_back() == 0
            assert (await world.row(ids[-1]))["reason"] == "judge_paused"
            judge.default = well()
            await world.lifecycle.probe_soon()
            await world.lifecycle.probe_paused()
            await run(loop, ids)
            assert await world.rows("SELECT * FROM judge_pauses") == [], "the probe was served"
            await world.rows("UPDATE qa_evaluations SET run_at = now()")
            await run(loop, ids)

        assert {(await world.row(id_))["model"] for id_ in ids} == {"first"}

    async def test_lets_one_probe_through_at_a_time_and_each_later_than_the_one_before(self, world):
        await set_policy(world, settings(openai_api_key="k"), judge_model=FIRST)
        await fail(world, await answers(world, 5))
        await answers(world, 2)
        probed: list[float] = []
        for _ in range(3):
            await world.rows("UPDATE judge_pauses SET probe_at = now()")
            await asyncio.gather(*(world.lifecycle.probe_paused() for _ in range(2)))
            probe = await the_probe(world)
            await world.rows("UPDATE judge_pauses SET probe_at = now()")
            await world.lifecycle.probe_paused()
            assert await the_probe(world) == probe, "it waits for a worker"
            (claim,) = await world.lifecycle.claim([probe])
            await world.lifecycle.probe_paused()
            assert await world.rows("SELECT * FROM qa_evaluations WHERE reason = 'probe'") == []
            probed.append((await the_pause(world))["probe_seconds"])
            await world.lifecycle.record([(claim, Retry("HTTP 500", 0, (), JudgeFailure("500")))])

        assert probed == [10, 20, 40]

    async def test_goes_on_probing_after_a_worker_died_with_the_probe(self, world):
        await set_policy(world, settings(openai_api_key="k"), judge_model=FIRST)
        await fail(world, await answers(world, 5))
        await world.rows("UPDATE judge_pauses SET probe_at = now()")
        await world.lifecycle.probe_paused()
        (claim,) = await world.lifecycle.claim([await the_probe(world)])
        await world.expire_lease(claim.id)
        await world.lifecycle.reap()

        await world.rows("UPDATE judge_pauses SET probe_at = now()")
        await world.lifecycle.probe_paused()

        assert await the_probe(world)

    async def test_is_not_probed_before_the_time_that_the_server_names(self, world):
        await set_policy(world, settings(openai_api_key="k"), judge_model=FIRST)
        await fail(world, await answers(world, 5), rest=1800)

        (row,) = await world.rows(
            "SELECT extract(epoch FROM probe_at - now()) AS s FROM judge_pauses"
        )
        assert 1700 < row["s"] <= 1800

    async def test_leaves_a_judge_with_a_wrong_key_to_people(self, world):
        await set_policy(world, settings(openai_api_key="k"), judge_model=FIRST)
        ids = await answers(world, 6)
        claims = await world.lifecycle.claim(ids)
        await world.lifecycle.record([(claims[0], Pause("HTTP 401"))])
        failed = [(claim, Retry("HTTP 500", 0, (), JudgeFailure("500"))) for claim in claims[1:]]
        await world.lifecycle.record(failed)

        pause = await the_pause(world)
        assert (pause["kind"], pause["reason"]) == ("configuration", "HTTP 401")
        assert await world.lifecycle.fall_back() == 0

    async def test_has_its_degraded_verdicts_judged_again_when_the_judge_is_back(
        self, world, workers, judge
    ):
        judge.default = status(500)
        async with workers() as (loop,):
            ids = await open_breaker(world, loop)
            await world.lifecycle.fall_back()
            await run(loop, ids)
            judge.default = well()
            assert await recheck_once(world) == 0, "it is not time to probe it"
            await world.rows("UPDATE judge_pauses SET probe_at = now()")
            assert await recheck_once(world) == 1, "no answer comes, so one of these is the probe"
            await world.lifecycle.probe_paused()
            await run(loop, [await the_probe(world)])
            assert await world.rows("SELECT * FROM judge_pauses") == []
            assert await recheck_once(world) == len(ids) - 1
            again = await world.rows("SELECT id FROM qa_evaluations WHERE status = 'queued'")
            await run(loop, [row["id"] for row in again])

        rows = await world.rows("SELECT * FROM qa_evaluations WHERE is_current")
        assert [(row["model"], row["degraded"]) for row in rows] == [("first", False)] * len(ids)


async def fail(world: World, ids: list[uuid.UUID], *, rest: float = 0) -> None:
    """One failed try of each, by a judge that nobody stands in for."""
    failure = JudgeFailure("transient: HTTP 500", rest)
    claims = await world.lifecycle.claim(ids)
    await world.lifecycle.record([(claim, Retry("HTTP 500", 0, (), failure)) for claim in claims])


async def the_probe(world: World) -> uuid.UUID:
    (row,) = await world.rows("SELECT id FROM qa_evaluations WHERE reason = 'probe'")
    return row["id"]


class TestALongRetryAfter:
    async def test_lets_the_chain_go_first(self, world, workers, judge):
        judge.script(status(429, retry_after="1800"))
        async with workers(policy={"fallback_models": [SECOND]}) as (loop,):
            (id_,) = await answers(world)
            await run(loop, [id_])
            await run(loop, [id_])

        row = await world.row(id_)
        assert (row["status"], row["model"], judge.count) == ("succeeded", "second", 2)

    async def test_lets_the_rules_go_first(self, world, workers, judge):
        judge.default = status(429, retry_after="1800")
        async with workers() as (loop,):
            (id_,) = await answers(world)
            await run(loop, [id_])

        row = await world.row(id_)
        assert (row["status"], row["provider"], judge.count) == ("succeeded", "offline", 1)

    @pytest.mark.parametrize(("retry_after_header", "waited"), [("1800", 1800), ("90000", 3600)])
    async def test_is_awaited_without_a_fallback_for_an_hour_at_most(
        self, world, workers, judge, retry_after_header, waited
    ):
        judge.default = status(429, retry_after=retry_after_header)
        async with workers(judge_fallback="failed") as (loop,):
            (id_,) = await answers(world)
            await run(loop, [id_])

        (row,) = await world.rows(
            "SELECT status, extract(epoch FROM run_at - now()) AS seconds FROM qa_evaluations"
        )
        assert row["status"] == "retrying"
        assert waited - 60 < row["seconds"] <= waited

    async def test_is_waited_for_where_it_is_short(self, world, workers, judge):
        judge.default = status(429, retry_after="20")
        async with workers(policy={"fallback_models": [SECOND]}) as (loop,):
            (id_,) = await answers(world)
            await run(loop, [id_])

        assert (await world.row(id_))["status"] == "retrying"


class TestARowBehindAPausedStandIn:
    @pytest.mark.parametrize("paused_first", [True, False])
    async def test_says_that_its_judge_is_paused(self, world, paused_first):
        server = settings(openai_api_key="k")
        await set_policy(world, server, judge_model=SECOND, judge_fallback="failed")
        (other,) = await world.lifecycle.claim(await answers(world))
        await set_policy(
            *(world, server), judge_model=FIRST, fallback_models=[SECOND], judge_fallback="failed"
        )
        (claim,) = await world.lifecycle.claim(await answers(world))
        steps = [[(other, Pause("HTTP 401"))], [(claim, Fallback(SECOND, f"{FIRST}: HTTP 500"))]]
        for step in steps if paused_first else reversed(steps):
            await world.lifecycle.record(step)
        if not paused_first:
            await world.lifecycle.fall_back()

        row = await world.row(claim.id)
        assert (row["judge_model"], row["reason"]) == (SECOND, "judge_paused")


async def test_claims_that_fail_alone_say_nothing_against_the_judge(world, workers, judge):
    judge.default = by_request(claims=GARBAGE)
    async with workers(policy=TWO_CALLS) as (loop,):
        await run(loop, await answers(world, 2 * FAILURES))

    assert await world.rows("SELECT * FROM judge_failures") == []
    assert await world.rows("SELECT * FROM judge_pauses") == []


async def test_a_success_that_was_under_way_closes_the_breaker(world):
    await set_policy(world, settings(openai_api_key="k"), judge_model=FIRST)
    (early,) = await world.lifecycle.claim(await answers(world))
    await fail(world, await answers(world, 5))
    assert (await the_pause(world))["kind"] == "failing"

    await world.lifecycle.record([(early, verdict())])

    assert await world.rows("SELECT * FROM judge_pauses") == []
