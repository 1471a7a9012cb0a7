"""The limits of models in Redis: the same for all workers, and without Redis a part for each."""

import asyncio
import logging
import random
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
import redis

from app.ai_router.limits import shared
from app.ai_router.limits.model_limit import Ask, Gcra
from app.ai_router.limits.shared import SharedLimits
from app.ai_router.limits.states import keys_of, load_script
from app.platform.setting_types import ModelLimit
from servers import redis_server

MODEL = "openai:gpt-4o-mini"
OTHER = "openai:other"


@dataclass
class Scripts:
    """The two scripts with a clock of the test's own, in seconds."""

    client: redis.Redis
    limit: ModelLimit = field(default_factory=lambda: ModelLimit(600))
    now: float = 1_000_000.0
    standing: bytes = b""

    def _run(self, name: str, *arguments: object) -> list[float]:
        given = [self.now, *(each or 0 for each in self.limit), *arguments]
        script = self.client.register_script(load_script(name))
        *figures, self.standing = script(keys_of(MODEL), given)
        return [float(each) for each in figures]

    def take(self, *asks: Ask) -> tuple[int, float]:
        taken, wait, *_ = self._run(
            "take",
            "w",
            90,
            len(asks),
            *(part for ask in asks for part in (*ask[:3], int(ask.bulk))),
        )
        return int(taken), wait

    def settle(
        self,
        requests: float = 0,
        tokens: float = 0,
        *,
        estimated: float = 0,
        used: float = 0,
        calls: int = 0,
        seconds: float = 0,
        rest: float | None = None,
        stated: tuple[int, int] = (0, 0),
        ended: Sequence[object] = (),
    ) -> dict[str, float]:
        refused = (int(rest is not None), rest or 0)
        numbers = (requests, tokens, estimated, used, calls, seconds, *refused, *stated)
        _, _, ratio, _, allowance, *_ = self._run("settle", *numbers, *ended)
        return {"ratio": ratio, "allowance": allowance}

    @property
    def allowance(self) -> float:
        return self.settle()["allowance"]


@pytest.fixture
def scripts(redis_url: str) -> Scripts:
    return Scripts(redis.Redis.from_url(redis_url))


def asks(number: int, *, bulk: bool = False, tokens: int = 0) -> list[Ask]:
    return [Ask(str(each), 1, tokens, bulk) for each in range(number)]


class TestScripts:
    def test_the_arithmetic_is_that_of_a_worker_alone(self, scripts):
        scripts.limit = ModelLimit(120, 50_000, 9)
        alone = Gcra(scripts.limit)
        chance = random.Random(7)
        number = 0
        held: list[Ask] = []
        for _ in range(300):
            scripts.now += chance.choice([0, 0.05, 0.7, 4])
            asked = [
                Ask(str(number + i), chance.choice([1, 1, 2]), chance.choice([0, 90, 5000]), bulk)
                for i in range(chance.choice([1, 3]))
                for bulk in [chance.random() < 0.5]
            ]
            number += len(asked)
            # A fresh answer that waits is remembered in Redis alone: here all are asked at once.
            scripts.client.hdel(keys_of(MODEL)[0], "live_until")
            taken, wait = scripts.take(*asked)
            expected = alone.take(scripts.now, asked)
            assert (taken, pytest.approx(wait, abs=1e-3)) == expected
            held += asked[:taken]
            ended = held[: chance.randint(0, len(held))]
            del held[: len(ended)]
            difference = chance.choice([-60, 0, 80, 80, 90_000])
            scripts.settle(0, difference, ended=[x for ask in ended for x in ask[:2]])
            alone.charge(scripts.now, 0, difference)
            alone.release([ask.id for ask in ended])

    def test_a_slow_start_is_that_of_a_worker_alone(self, scripts):
        scripts.limit = ModelLimit()
        alone = Gcra(scripts.limit, is_new=True)
        seen = []
        for number, (seconds, replies) in enumerate([(0, 0), (1, 0), (1, 0), (3, 2), (0, 1)]):
            scripts.now += seconds
            asked = [Ask(f"{number}/{i}", 1, 0) for i in range(40)]
            taken, wait = scripts.take(*asked)
            assert (taken, pytest.approx(wait)) == alone.take(scripts.now, asked)
            seen.append(taken)
            scripts.settle(calls=replies)
            alone.replied(replies)
        # One more for each reply; where they are slow, twice as many every two seconds.
        assert seen == [4, 0, 4, 8, 2]
        assert (scripts.standing, alone.is_new) == (b"new", True)

        scripts.settle(calls=1)
        alone.replied(1)
        assert (scripts.standing, alone.is_new) == (b"open", False)
        many = [Ask(str(i), 1, 0) for i in range(1000)]
        assert scripts.take(*many) == alone.take(scripts.now, many) == (1000, 0)

    def test_a_slow_start_ends_with_the_first_limit_that_a_reply_states(self, scripts):
        scripts.limit = ModelLimit()
        assert scripts.take(*asks(9))[0] == 4
        scripts.settle(calls=4, stated=(600, 0), ended=[x for i in range(4) for x in (i, 1)])
        assert scripts.standing == b"limited"
        assert scripts.take(*asks(100))[0] == 600 * 0.04

    def test_a_call_of_a_worker_that_died_is_given_up(self, scripts):
        scripts.limit = ModelLimit(in_flight=2)
        assert scripts.take(*asks(3))[0] == 2
        scripts.now += 89
        assert scripts.take(Ask("x", 1, 0))[0] == 0
        scripts.now += 2
        assert scripts.take(Ask("x", 1, 0))[0] == 1

    def test_while_a_fresh_answer_waits_no_other_goes_before_it(self, scripts):
        scripts.limit = ModelLimit(60)
        live, bulk = Ask("live", 1, 0), Ask("bulk", 1, 0, bulk=True)
        while scripts.take(bulk)[0]:
            pass
        while scripts.take(live)[0]:
            pass
        wait = scripts.take(live)[1]
        scripts.now += wait + 0.01
        assert scripts.take(bulk)[0] == 0
        assert scripts.take(live)[0] == 1

    def test_what_estimates_are_multiplied_by_follows_what_calls_use(self, scripts):
        scripts.limit = ModelLimit(tokens=400_000)
        for _ in range(100):
            ratio = scripts.settle(estimated=1000, used=250, calls=1, seconds=1)["ratio"]
        assert ratio == pytest.approx(0.25)

        # A burst holds 16,000: four of 15,000 a quarter of which is used, and one is owed.
        assert scripts.take(*asks(9, tokens=15_000))[0] == 4


class TestAdapting:
    def test_a_refusal_holds_all_and_lowers_the_allowance_once(self, scripts):
        for _ in range(5):
            scripts.settle(rest=20)
        assert scripts.allowance == pytest.approx(1 - 20 / 60)
        assert scripts.take(*asks(1)) == (0, pytest.approx(20, abs=0.2))

        scripts.now += 20.2
        assert scripts.take(*asks(9))[0] == 1, "no burst was saved up"

    @pytest.mark.parametrize(("rest", "left"), [(1, 0.85), (15, 0.75), (30, 0.5), (59, 0.5)])
    def test_the_longer_a_minute_is_full_the_less_is_asked_afterwards(self, scripts, rest, left):
        scripts.settle(rest=rest)
        assert scripts.allowance == pytest.approx(left)

    def test_it_never_falls_below_a_twentieth_and_comes_back_in_half_an_hour(self, scripts):
        for _ in range(100):
            scripts.settle(rest=1)
            scripts.now += 1.1
        assert 0.05 <= scripts.allowance < 0.06
        seen = []
        for _ in range(6):
            scripts.now += 300
            seen.append(scripts.allowance)
        assert seen == sorted(seen)
        assert seen[0] < 0.25
        assert seen[-1] == 1

    def test_a_limit_that_the_server_has_lowered_explains_its_refusal(self, scripts):
        scripts.settle(rest=20, stated=(300, 0))
        assert scripts.allowance == 1
        assert scripts.take(*asks(1))[0] == 0

        scripts.now += 60
        assert scripts.take(*asks(100))[0] == 300 * 0.04

    def test_a_model_that_becomes_slow_is_asked_less_but_not_below_half(self, scripts):
        for _ in range(100):
            scripts.settle(calls=1, seconds=0.5)
            scripts.now += 1
        assert scripts.allowance == 1
        least = 1.0
        for _ in range(60):
            scripts.settle(calls=1, seconds=5)
            scripts.now += 1
            least = min(least, scripts.allowance)
        assert 0.5 <= least < 0.9

        # That is its usual time now.
        for _ in range(1200):
            scripts.settle(calls=1, seconds=5)
            scripts.now += 1
        assert scripts.allowance == 1


@asynccontextmanager
async def workers(
    redis_url: str, number: int, **limits: ModelLimit
) -> AsyncIterator[list[SharedLimits]]:
    configured: dict[str, Any] = {MODEL: ModelLimit(600)} | limits
    made = [SharedLimits(configured, redis_url, call_seconds=90) for _ in range(number)]
    try:
        yield made
    finally:
        for one in made:
            await one.aclose()


async def take_calls(limits: SharedLimits, number: int = 100) -> int:
    return (await limits.take(MODEL, asks(number))).number


@asynccontextmanager
async def new_to(model: str, *redis_urls: str | None) -> AsyncIterator[list[SharedLimits]]:
    """Workers that are about to call a model of which nothing is known."""
    made = [SharedLimits({}, url, call_seconds=90) for url in redis_urls]
    try:
        for one in made:
            await one.load(learned=True)
            one.track(model)
        yield made
    finally:
        for one in made:
            await one.aclose()


def settled(limits: SharedLimits, model: str, *, calls: int) -> None:
    """So many calls have ended, whose replies stated nothing."""
    one = limits.unsettled(model)
    one.calls += calls
    one.ended += [(str(number), 1) for number in range(calls)]


class TestWorkers:
    async def test_together_they_take_what_one_alone_would(self, redis_url):
        async with workers(redis_url, 4) as four:
            began = time.monotonic()
            each = [await take_calls(one, 10) for one in four]
            seconds = time.monotonic() - began

        # A burst, and what was earned meanwhile.
        assert 24 <= sum(each) <= 24 + 1 + seconds * 577 / 60

    async def test_what_a_reply_states_holds_for_all(self, redis_url):
        async with workers(redis_url, 2) as (one, other):
            one.learn(MODEL, ModelLimit(50))
            await one.settled()

            assert await take_calls(other) == 2
            assert MODEL in other
            assert "openai:other" not in other
            other.learn("openai:other", ModelLimit(25))
            assert "openai:other" in other
            await other.settled()
            await one.load(learned=True)
            assert "openai:other" in one, "as a worker does that starts"

    async def test_workers_together_start_slowly_with_an_unknown_model(self, redis_url):
        async with new_to(OTHER, redis_url, redis_url) as (one, other):
            first = [(await each.take(OTHER, asks(9))).number for each in (one, other)]
            assert first == [4, 0]
            settled(one, OTHER, calls=4)
            await one.settled()
            assert OTHER not in one

            assert (await other.take(OTHER, asks(9))).number == 9
            assert not any((one, other)), "neither asks Redis any more"
        async with new_to(OTHER, redis_url) as (one,):
            assert not one, "nor does one that starts later"
            one.track(OTHER)
            assert OTHER not in one
            one.learn(OTHER, ModelLimit(25))
            assert OTHER in one

    async def test_a_worker_starts_slowly_without_redis(self):
        async with new_to(OTHER, None) as (one,):
            assert (await one.take(OTHER, asks(9))).number == 4
            settled(one, OTHER, calls=4)
            await one.settled()
            assert (await one.take(OTHER, asks(9))).number == 9
            assert not one

    async def test_without_redis_each_has_its_part_and_then_they_share_again(
        self, tmp_path, monkeypatch, caplog
    ):
        monkeypatch.setattr(shared, "_RETRY_SECONDS", 0.0)
        caplog.set_level(logging.INFO, logger=shared.__name__)
        with redis_server(tmp_path / "redis") as url:
            port = redis.Redis.from_url(url).connection_pool.connection_kwargs["port"]
            async with workers(url, 4) as four:
                for _ in range(2):  # then each has heard of the others
                    for one in four:
                        await one.take(MODEL, asks(1))
                redis.Redis.from_url(url).shutdown(nosave=True)  # type: ignore[no-untyped-call]

                assert [await take_calls(one) for one in four] == [600 * 0.04 // 4] * 4
                assert min([(await one.take(MODEL, asks(1))).wait for one in four]) > 0
                assert len(_log_lines(caplog, "keeps to its part")) == 4

                with redis_server(tmp_path / "redis2", port=port):
                    assert sum([await take_calls(one, 10) for one in four]) >= 24
                    assert len(_log_lines(caplog, "share the judges' limits again")) == 4

    async def test_a_redis_that_refuses_scripts_is_said_and_done_without(self, tmp_path, caplog):
        with redis_server(tmp_path / "redis") as url:
            redis.Redis.from_url(url).execute_command("ACL", "SETUSER", "default", "-@scripting")
            async with workers(url, 1) as (one,):
                assert await take_calls(one) == 24
        assert "allow EVALSHA and SCRIPT LOAD" in _log_lines(caplog, "keeps to its part")[0]

    async def test_simultaneous_ends_are_settled_together(self, redis_url):
        async with workers(redis_url, 1, **{MODEL: ModelLimit(None, None, 3)}) as (one,):
            assert await take_calls(one) == 3
            for ask in asks(3):
                one.unsettled(MODEL).ended.append((ask.id, 1))
            await one.settled()
            assert await take_calls(one) == 3

    async def test_settling_calls_are_awaited(self, redis_url, monkeypatch):
        settling, go_on = asyncio.Event(), asyncio.Event()
        async with workers(redis_url, 1) as (one,):
            settle = one._settle_one

            async def slowly(*what: Any) -> None:
                settling.set()
                await go_on.wait()
                await settle(*what)

            monkeypatch.setattr(one, "_settle_one", slowly)
            one.unsettled(MODEL).requests += 1
            await settling.wait()
            end = asyncio.create_task(one.settled())
            await asyncio.sleep(0)
            assert not end.done()
            go_on.set()
            await end


def _log_lines(caplog: pytest.LogCaptureFixture, words: str) -> list[str]:
    return [record.getMessage() for record in caplog.records if words in record.getMessage()]
