"""Workers that keep to the limits of a judge together, in front of a stub that counts."""

import asyncio
import re
import time
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import Future
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import redis

from app.ai_router.limits.shared import SharedLimits
from app.ai_router.limits.states import LimitStates, keys_of
from app.ai_router.router import Providers
from app.ai_router.types import ChatRequest, Message
from app.platform.db.pool import create_pool, execute, fetch
from app.platform.ids import new_id
from app.platform.setting_types import ModelLimit
from app.verdicts.judging import limited_router
from app.verdicts.lifecycle.lifecycle import VerdictLifecycle
from cases import TIMEOUT_SECONDS, eventually
from judge_replies import good_reply, well
from servers import redis_server
from stub_server import Behaviour, Exchange, StubServer, answer, status
from verdict_world import NOTES, World, settings, store_answers
from worker.allowances import pending_row
from worker.job_loop import LimitedProviders
from worker.judge_loop import JudgeLoop
from worker.loop_thread import TaskOutcome
from workers import QUICK, RULES, SLOW, SlowJudge, judge_policy, one_call

TOO_MANY = status(429, "slow down", retry_after="1")


def stating(limit: int) -> Behaviour:
    """Good replies whose headers state how many requests a minute are allowed."""
    return answer(good_reply, headers={"x-ratelimit-limit-requests": str(limit)})


def waiting(loops: list[JudgeLoop]) -> int:
    """Rows that wait for the allowance of the judge SLOW."""
    lines = [loop._admission._allowances._lines.get(SLOW) for loop in loops]
    return sum(len(line.live) for line in lines if line)


@asynccontextmanager
async def running(
    world: World, stub: StubServer, redis_url: str, count: int = 2, **changes: object
) -> AsyncIterator[list[JudgeLoop]]:
    chosen = settings(**one_call(stub) | {"redis_url": redis_url, "retry_base": 0.01} | changes)
    async with AsyncExitStack() as stack:
        loops = [JudgeLoop(chosen, world.url) for _ in range(count)]
        for loop in loops:
            await asyncio.to_thread(loop.start)
            stack.push_async_callback(asyncio.to_thread, loop.close)
        yield loops


@pytest.fixture
async def stub() -> AsyncIterator[StubServer]:
    async with StubServer(well()) as stub:
        yield stub


@pytest.fixture
def workers(world: World, stub: StubServer, redis_url: str) -> Callable[..., Any]:
    return partial(running, world, stub, redis_url)


async def submit(world: World, loops: list[JudgeLoop], count: int, judge: str = SLOW) -> list:
    """Answers shared out among the loops, one message each."""
    new = await store_answers(world, count, policy=judge_policy(judge), workspace=judge)
    return [
        asyncio.create_task(line_of(loops[at % len(loops)].submit([one.evaluation_id])))
        for at, one in enumerate(new)
    ]


async def line_of(submitted: Future[TaskOutcome]) -> str:
    return (await asyncio.wrap_future(submitted)).line


async def judged(world: World) -> list[tuple[str, int]]:
    rows = await world.rows("SELECT status, tries FROM qa_evaluations")
    return [(row["status"], row["tries"]) for row in rows]


async def test_what_a_verdict_takes_is_estimated_by_the_lengths_of_its_texts(world):
    (new,) = await store_answers(world, policy=judge_policy(SLOW), answer="변성은 95도. " * 1500)
    ids = [new.evaluation_id]
    (plain,), (row,) = [await world.lifecycle.waiting(ids, limited) for limited in ([], [SLOW])]
    assert pending_row(plain).ask is None

    ask = pending_row(row).ask
    assert row.lengths.notes == sum(len(note.content.encode()) for note in NOTES)
    assert row.lengths.answer == len(("변성은 95도. " * 1500).encode())
    assert ask.requests == row.lengths.parts > 1
    assert ask.tokens > ask.requests * 1024, "the replies alone"

    await world.rows("UPDATE qa_evaluations SET reason = 'rules_fallback'")
    (row,) = await world.lifecycle.waiting(ids, [SLOW])
    assert pending_row(row).ask is None, "rules judge it"


async def test_their_lengths_are_read_by_id_though_there_were_no_answers_at_first(world):
    """Statements keep their plans until a table is analysed again, thousands of answers later."""
    await execute(world.pool, b"ANALYZE qa_answers, qa_evaluations, qa_answer_sources")
    async with create_pool(world.url, max_size=1, plan_once=True) as pool:
        await VerdictLifecycle(pool, settings()).waiting([new_id()], [SLOW])
        find = b"SELECT name FROM pg_prepared_statements WHERE statement ~ 'AS [t]exts'"
        ((name,),) = await fetch(pool, find)
        explained = await fetch(pool, f"EXPLAIN EXECUTE {name}(NULL, NULL)".encode())
    plan = "\n".join(line for (line,) in explained)
    assert re.search(r"pk_qa_answers[^\n]*\n *Index Cond: \(id = e.answer_id\)", plan), plan


async def test_calls_in_flight_of_all_workers_stay_within_the_limit(world, stub, workers):
    async with workers(judge_limits=f"{SLOW}=-/-/3") as loops:
        outcomes = await asyncio.gather(*await submit(world, loops, 30))

    assert set(outcomes) == {"1 judged"}
    assert stub.most_in_flight <= 3
    assert await judged(world) == [("succeeded", 0)] * 30


async def test_requests_of_all_workers_keep_to_the_rate(world, stub, workers):
    async with workers(judge_limits=f"{SLOW}=600") as loops:
        began = time.monotonic()
        await asyncio.gather(*await submit(world, loops, 50))
        assert stub.last_reply_at is not None
        seconds = stub.last_reply_at - began

    assert stub.count == 50
    # A burst of 24, and 577 in the minute after it.
    assert stub.count <= 24 + 1 + seconds * 577 / 60


async def test_who_waits_for_the_limit_holds_no_place_and_no_lease(world, stub, workers):
    judge = SlowJudge()
    stub.default = judge
    async with workers(count=1, judge_limits=f"{SLOW}=1") as (loop,):
        messages = await submit(world, [loop], 20)
        await eventually(lambda: judge.in_flight == 1)

        assert set(await asyncio.gather(*await submit(world, [loop], 5, QUICK))) == {"1 judged"}
        statuses = [row["status"] for row in await world.rows("SELECT * FROM qa_evaluations")]
        assert sorted(statuses) == ["queued"] * 19 + ["running"] + ["succeeded"] * 5
        assert loop._admission._models._judges == {SLOW: 1}
        judge.let.set()
        await eventually(lambda: any(message.done() for message in messages))


async def test_what_waited_long_enough_goes_back_as_it_was(world, stub, workers):
    limits = {"judge_limits": f"{SLOW}=1", "republish_after": 0.2}
    async with workers(count=1, **limits) as loops:
        outcomes = await asyncio.gather(*await submit(world, loops, 4))

    assert sorted(outcomes) == ["1 judged"] + ["1 released"] * 3
    assert stub.count == 1
    assert sorted(await judged(world)) == [("queued", 0)] * 3 + [("succeeded", 0)]


async def test_a_limit_is_learned_from_replies_and_few_calls_are_let_out_before_them(
    world, redis_url, stub, workers
):
    judge = SlowJudge(headers={"x-ratelimit-limit-requests": "1"})
    stub.default = judge
    async with workers(judge_limits_learned=True) as loops:
        messages = await submit(world, loops, 40)
        await eventually(lambda: judge.in_flight >= 4)
        judge.let.set()
        await eventually(lambda: sum(message.done() for message in messages) >= 4)
        await eventually(lambda: waiting(loops) == 40 - stub.count)
        assert 4 <= stub.count < 40
        state = redis.Redis.from_url(redis_url).hgetall(keys_of(SLOW)[0])
        assert float(state[b"stated_requests"]) == 1


async def test_a_judge_without_limits_is_soon_called_without_asking(world, workers):
    async with workers(judge_limits_learned=True) as loops:
        assert all(loop._admission._allowances for loop in loops)
        assert set(await asyncio.gather(*await submit(world, loops, 40))) == {"1 judged"}
        assert not any(loop._admission._allowances for loop in loops)


async def test_rows_of_a_judge_that_is_met_first_when_they_are_claimed_go_back_and_wait(
    world, stub, workers
):
    async with workers(1, judge_model=RULES, judge_limits_learned=True) as loops:
        assert set(await asyncio.gather(*await submit(world, loops, 3))) == {"1 released"}
        assert await judged(world) == [("queued", 0)] * 3
        assert stub.count == 0
        assert set(await asyncio.gather(*await submit(world, loops, 3))) == {"1 judged"}


@pytest.mark.parametrize("limit", [None, 6000])
async def test_what_replies_state_is_not_heeded_where_that_is_switched_off(
    world, redis_url, stub, workers, limit
):
    off = {"judge_limits_learned": False, "judge_limits": f"{SLOW}={limit}" if limit else ""}
    configured = settings(**off).judge.limits
    before = SharedLimits(configured, redis_url, call_seconds=90)
    before.learn(SLOW, ModelLimit(1))
    await before.aclose()

    stub.default = stating(1)
    async with workers(**off) as loops:
        assert set(await asyncio.gather(*await submit(world, loops, 6))) == {"1 judged"}
        assert set(await asyncio.gather(*await submit(world, loops, 6))) == {"1 judged"}
    states = LimitStates(configured, redis_url)
    assert [one.limit.requests for one in await states.read()] == ([limit] if limit else [])
    await states.aclose()


async def test_refusals_make_all_workers_wait_and_say_nothing_against_the_judge(
    world, redis_url, stub, workers
):
    server = redis.Redis.from_url(redis_url)
    early = []

    async def reply(exchange: Exchange) -> None:
        seconds, micros = server.time()
        if seconds + micros / 1e6 < float(server.hget(keys_of(SLOW)[0], "held_until")):
            early.append(exchange)
        await well()(exchange)

    stub.default = reply
    async with workers(judge_limits=f"{SLOW}=6000") as loops:
        stub.script(*[TOO_MANY] * 10)
        outcomes = await asyncio.gather(*await submit(world, loops, 10))
        assert {line.partition(":")[0] for line in outcomes} == {"1 to be tried again"}
        assert await world.rows("SELECT * FROM judge_pauses") == []

        assert set(await asyncio.gather(*await submit(world, loops, 2))) == {"1 judged"}
        assert early == [], "they waited for what was left of Retry-After"
        assert loops[0]._admission._allowances._limits.allowance(SLOW) < 0.9


async def test_a_judge_that_refuses_however_little_it_is_asked_is_failing(
    world, monkeypatch, stub, workers
):
    monkeypatch.setattr(limited_router, "MIN_ALLOWANCE", 2)
    stub.default = TOO_MANY
    async with workers(judge_limits=f"{SLOW}=6000") as loops:
        await asyncio.gather(*await submit(world, loops, 5))
        (pause,) = await world.rows("SELECT * FROM judge_pauses")
        assert (pause["judge_model"], pause["kind"]) == (SLOW, "failing")


async def test_a_quota_that_is_used_up_pauses_the_judge(world, stub, workers):
    stub.default = status(429, {"error": {"code": "insufficient_quota"}})
    async with workers(count=1, judge_limits=f"{SLOW}=6000") as loops:
        outcomes = await asyncio.gather(*await submit(world, loops, 1))

    assert outcomes == ["1 waiting for a paused judge: insufficient_quota"]
    (pause,) = await world.rows("SELECT * FROM judge_pauses")
    assert (pause["kind"], pause["reason"]) == ("configuration", "insufficient_quota")


@pytest.fixture
def mortal_redis(tmp_path: Path) -> Iterator[str]:
    with redis_server(tmp_path / "redis") as url:
        yield url


async def test_without_redis_answers_are_judged_and_within_the_limit(world, stub, mortal_redis):
    async with running(world, stub, mortal_redis, judge_limits=f"{SLOW}=600/-/2") as loops:
        await asyncio.gather(*await submit(world, loops, 6))
        redis.Redis.from_url(mortal_redis).shutdown(nosave=True)  # type: ignore[no-untyped-call]
        outcomes = await asyncio.gather(*await submit(world, loops, 12))

    assert set(outcomes) == {"1 judged"}
    assert stub.most_in_flight <= 2


@asynccontextmanager
async def jobs_models(stub: StubServer, redis_url: str, limit: str) -> AsyncIterator[Providers]:
    """The models of jobs, as a process that does jobs has them."""
    chosen = settings(openai_base_url=stub.base_url, judge_limits=f"{SLOW}={limit}")
    limits = SharedLimits(chosen.judge.limits, redis_url, call_seconds=90)
    async with LimitedProviders(chosen, limits) as providers:
        yield providers
    await limits.aclose()


REQUEST = ChatRequest([Message("user", "?")], 0, 10)


async def test_calls_of_jobs_keep_to_the_limit(redis_url):
    async with (
        StubServer() as stub,
        jobs_models(stub, redis_url, "-/-/3") as one,
        jobs_models(stub, redis_url, "-/-/3") as other,
    ):
        routers = [each.router(SLOW, deadline=TIMEOUT_SECONDS) for each in (one, other)]
        await asyncio.gather(*(router.chat(REQUEST) for router in routers * 10))

    assert stub.count == 20
    assert stub.most_in_flight <= 3


async def test_a_job_that_has_waited_for_half_its_time_calls_and_owes(redis_url):
    async with StubServer() as stub, jobs_models(stub, redis_url, "1") as models:
        router = models.router(SLOW, deadline=2)
        began = time.time()
        await router.chat(REQUEST)
        await router.chat(REQUEST)

    assert stub.count == 2
    state = redis.Redis.from_url(redis_url).hgetall(keys_of(SLOW)[0])
    assert float(state[b"requests_at"]) - began > 55, "a minute after the second"
