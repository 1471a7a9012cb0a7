"""How many calls the limits of a model let through, by a clock of the test's own."""

from bisect import bisect_left
from collections.abc import Sequence

import pytest

from app.ai_router.limits.model_limit import BURST, LIVE_SHARE, MINUTE, Ask, Gcra
from app.platform.setting_types import ModelLimit
from cases import for_each


def ask(number: int, *, tokens: int = 0, bulk: bool = False, requests: int = 1) -> Ask:
    return Ask(str(number), requests, tokens, bulk)


def drain(gcra: Gcra, seconds: float, *, tokens: int = 0, bulk: bool = False) -> list[float]:
    """When calls are let through, if there are always some waiting."""
    now, times = 0.0, []
    while now < seconds:
        taken, wait = gcra.take(now, [ask(len(times), tokens=tokens, bulk=bulk)])
        if taken:
            times.append(now)
        else:
            assert wait > 0
            now += wait
    return times


def most_in_a_minute(times: Sequence[float]) -> int:
    ends = (bisect_left(times, start + MINUTE - 1e-6) for start in times)
    return max(end - first for first, end in enumerate(ends))


@for_each("limit", [1, 3, 10, 60, 600])
@for_each("bulk", [False, True])
def test_no_sliding_minute_has_more_requests_than_the_limit(limit, bulk):
    times = drain(Gcra(ModelLimit(requests=limit)), 5 * MINUTE, bulk=bulk)

    assert most_in_a_minute(times) <= limit
    assert len(times) >= 5 * limit * (1 - BURST) - 1


@for_each("each", [100, 3000, 9999])
def test_no_sliding_minute_has_more_tokens_than_the_limit(each):
    limit = 400_000
    times = drain(Gcra(ModelLimit(tokens=limit)), 3 * MINUTE, tokens=each)

    assert most_in_a_minute(times) * each <= limit
    assert len(times) * each >= 3 * limit * (1 - BURST) - each


def test_a_call_beyond_the_burst_is_let_through_and_owed():
    gcra = Gcra(ModelLimit(tokens=1000))

    assert gcra.take(0, [ask(1, tokens=500)]) == (1, 0)
    taken, wait = gcra.take(0, [ask(2, tokens=1)])
    assert taken == 0
    assert wait == pytest.approx((500 - 40 + 1) / 16)


def test_a_part_of_the_burst_is_kept_for_fresh_answers():
    gcra = Gcra(ModelLimit(requests=1000))
    burst = int(1000 * BURST)

    taken, _ = gcra.take(0, [ask(i, bulk=True) for i in range(100)])
    assert taken == burst * (1 - LIVE_SHARE)
    assert gcra.take(0, [ask(i) for i in range(100)])[0] == burst - taken


def test_what_was_not_used_is_given_back_and_what_was_used_beyond_is_owed():
    gcra = Gcra(ModelLimit(tokens=60_000))
    gcra.take(0, [ask(1, tokens=2400)])
    assert gcra.take(0, [ask(2, tokens=1000)])[0] == 0

    gcra.charge(0, 0, -1400)
    assert gcra.take(0, [ask(2, tokens=1000)])[0] == 1

    gcra.charge(0, 0, 60_000)
    assert gcra.take(0, [ask(3, tokens=1)])[1] > 55


def test_no_debt_outlasts_the_minute_that_the_server_looks_at():
    gcra = Gcra(ModelLimit(requests=600))
    gcra.charge(0, 5000, 0)

    assert gcra.take(0, [ask(1)])[1] == pytest.approx(MINUTE, abs=3)
    assert gcra.take(MINUTE, [ask(1)])[0] == 1


def test_requests_and_tokens_are_taken_together_or_not_at_all():
    gcra = Gcra(ModelLimit(requests=60_000, tokens=1000))
    gcra.take(0, [ask(1, tokens=40)])
    assert gcra.take(0, [ask(2, tokens=40)])[0] == 0

    fresh = Gcra(ModelLimit(requests=60_000))
    fresh.take(0, [ask(1)])
    assert gcra._requests == fresh._requests


def test_calls_in_flight_are_limited_until_they_end():
    gcra = Gcra(ModelLimit(in_flight=2))
    assert gcra.take(0, [ask(i) for i in range(3)])[0] == 2
    assert gcra.take(1e6, [ask(2)])[0] == 0

    gcra.release(["0"])
    assert gcra.take(1e6, [ask(2)])[0] == 1


def test_one_verdict_of_many_calls_goes_alone():
    gcra = Gcra(ModelLimit(in_flight=2))

    assert gcra.take(0, [ask(1, requests=5), ask(2)])[0] == 1


def test_a_slow_start_without_a_reply_goes_on_for_hours():
    gcra = Gcra(ModelLimit(), is_new=True)
    assert gcra.take(0.0, [ask(i) for i in range(9)])[0] == 4

    assert gcra.take(3 * 3600.0, [ask(i) for i in range(9, 999)])[0] == 990


def test_nothing_is_taken_while_the_server_wants_to_be_left_alone():
    gcra = Gcra(ModelLimit(requests=600))
    gcra.hold(30)

    taken, wait = gcra.take(10, [ask(1)])
    assert (taken, wait) == (0, pytest.approx(20 + MINUTE / 577))
    assert gcra.take(30.2, [ask(i) for i in range(9)])[0] == 1, "no burst was saved up"
