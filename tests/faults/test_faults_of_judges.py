"""Judges that are slow, broken, lying or locked: few calls, then a verdict all the same."""

import asyncio
import json
import uuid
from collections.abc import Sequence
from urllib.parse import quote

import pytest
from harness import HOST, LONG_LEASE, MODEL, Stack, waits

from app.operations.embedded.ports import free_port
from cases import eventually
from judge_replies import good_reply, misbehaviours, well
from stub_server import Exchange, answer, reply_text, status

RESUME = f"/judges/{quote(MODEL)}/resume"

TRIES = 3
# The most that one answer may take.
CALLS = 6
# Seconds a busy machine may take to come to a row that is due.
LATE = 5


MISBEHAVIOURS = misbehaviours(good_reply, retry_after="1")


async def misbehave(exchange: Exchange) -> None:
    """By the name that the judged question holds."""
    asked = json.dumps(exchange.request.json, ensure_ascii=False)
    (behave,) = [behave for name, behave in MISBEHAVIOURS.items() if f"#{name}#" in asked]
    await behave(exchange)


@pytest.mark.slow_fault
async def test_misbehaviour(open_, holds):
    # Each way by itself: its calls, and no circuit breaker that others open.
    stack = await open_(
        max_attempts=TRIES,
        max_calls_per_answer=4 * TRIES,
        breaker_failures=1000,
        judge_deadline=3,
        judge_lease=13.1,
    )
    stack.judge.default = misbehave
    ids = {name: (await stack.answer(question=f"#{name}#"))[0] for name in MISBEHAVIOURS}
    await stack.start()

    fault = f"judge that always fails, each in one of {len(ids)} ways, {TRIES} tries"
    tally = await holds(stack, fault, runs=TRIES * len(ids))

    assert tally.degraded == len(ids)
    for name, id_ in ids.items():
        row = await stack.world.row(id_)
        assert (row["provider"], row["attempt"]) == ("offline", TRIES), name
        assert row["error"], name
        # Two evaluators; a reply that cannot be read is asked for again once in a try.
        malformed = row["error"].startswith("malformed")
        assert count_calls_with(stack, name) == 2 * TRIES * (1 + malformed), name
        base = 1.0 if name == "retry-after" else 0.05
        for wait, least in zip(await waits(stack, id_), (base, max(base, 0.1)), strict=True):
            assert least <= wait < least + LATE, name


def count_calls_with(stack: Stack, name: str) -> int:
    asked = [json.dumps(request.json, ensure_ascii=False) for request in stack.judge.requests]
    return sum(f"#{name}#" in text for text in asked)


@pytest.mark.parametrize(
    ("name", "behave"),
    [
        ("writes nothing but garbage", answer(reply_text("no json here"))),
        pytest.param("always says 500", status(500), marks=pytest.mark.slow_fault),
    ],
)
@pytest.mark.parametrize("breaker", [True, False])
async def test_calls_have_a_bound(open_, holds, name, behave, breaker):
    """Answers before and after the circuit breaker opens; without it, the bound of each alone."""
    stack = await open_(**LONG_LEASE | ({} if breaker else {"breaker_failures": 1000}))
    stack.judge.default = behave
    await stack.start(workers=2)
    before = await stack.answer(20)
    if breaker:
        await eventually(lambda: stack.world.rows("SELECT * FROM judge_pauses"))
    else:
        await stack.settle()
    asked = stack.judge.count
    after = await stack.answer(40)

    fault = f"judge that {name}, {'circuit breaker' if breaker else 'no circuit breaker'}"
    tally = await holds(stack, fault)

    assert tally.degraded == len(before) + len(after)
    assert asked <= CALLS * len(before)
    for id_ in [*before, *after]:
        (calls,) = await stack.world.rows(
            "SELECT count(*) AS made FROM judge_calls WHERE evaluation_id = %s", id_
        )
        assert calls["made"] <= CALLS
    if breaker:
        probes = sum([(await stack.world.row(id_))["tries"] > 0 for id_ in after])
        assert stack.judge.count <= CALLS * (len(before) + probes), "only probes since it opened"
        assert probes < len(after) / 2


async def test_the_breaker_closes_when_the_judge_is_back(open_, holds):
    stack = await open_(**LONG_LEASE | {"breaker_probe": 1, "judge_fallback": "failed"})
    stack.judge.default = status(500)
    await stack.start(workers=2)
    await stack.answer(20)
    await eventually(lambda: stack.world.rows("SELECT * FROM judge_pauses"))
    stack.judge.default = well()

    tally = await holds(stack, "judge that says 500 until its circuit breaker opens, then works")

    assert tally.verdicts + tally.failed == 20
    assert await stack.world.rows("SELECT * FROM judge_pauses") == []


@pytest.mark.parametrize(
    ("fault", "refusal", "because"),
    [
        ("wrong key", status(401), "invalid_api_key"),
        pytest.param(
            "exhausted quota",
            status(429, {"error": {"code": "insufficient_quota"}}),
            "insufficient_quota",
            marks=pytest.mark.slow_fault,
        ),
    ],
)
async def test_a_judge_that_cannot_work(open_, holds, fault, refusal, because):
    stack = await open_(**LONG_LEASE)
    stack.judge.default = refusal
    port = free_port(HOST)
    await asyncio.gather(stack.start(), stack.start_api(port))
    await stack.answer(10)
    (pause,) = await eventually(lambda: stack.world.rows("SELECT * FROM judge_pauses"))
    assert pause["judge_model"] == MODEL
    assert pause["reason"] == because
    later = await stack.answer(10, publish=False)
    await stack.publish(later)
    await eventually(lambda: idle(stack))
    waiting = await stack.unfinished()
    assert [(row["status"], row["tries"]) for row in waiting] == [("queued", 0)] * 20
    await assert_all_notified(stack, port, pause["reason"], later)
    stack.judge.default = well()
    code, _ = await stack.searchqa(port, "api", "POST", RESUME)
    assert code == 0

    await holds(stack, f"judge: {fault}, then resumed")

    assert stack.judge.count <= 20 + 40
    attempts = [(await stack.world.row(id_))["attempt"] for id_ in later]
    assert attempts == [1] * 10, "nothing is tried while the judge is paused"


async def assert_all_notified(
    stack: Stack, port: int, reason: str, waiting: Sequence[uuid.UUID]
) -> None:
    """Readers by the API, operators by the API and the command line."""
    async with await stack.api_client(port) as client:
        (paused,) = (await client.get("/judges/paused")).json()
        polls = [await client.get(f"/qa-evaluations/{id_}") for id_ in waiting]
    assert (paused["judge_model"], paused["code"]) == (MODEL, reason)
    for poll in polls:
        assert (poll.json()["status"], poll.json()["reason"]) == ("queued", "judge_paused")
        assert int(poll.headers["retry-after"]) > 1
    code, printed = await stack.searchqa(port, "api", "GET", "/judges/paused")
    assert (code, json.loads(printed)) == (0, [paused])
    code, printed = await stack.searchqa(port, "doctor", "--json")
    found = {finding["about"]: finding for finding in json.loads(printed)}["Paused judge"]
    assert (code, found["state"]) == (1, "broken")
    assert paused["reason"].rstrip(".") in found["detail"]
    assert found["mend"].endswith(f"searchqa api POST {RESUME}")


async def idle(stack: Stack) -> bool:
    """Whether the workers have fetched every message and hold no row."""
    running = "SELECT id FROM qa_evaluations WHERE status = 'running'"
    return not stack.redis.count("live") and not await stack.world.rows(running)
