"""A daily budget puts judging off until the next day of the workspace, and drops nothing."""

import asyncio
import datetime as dt
import uuid
from collections.abc import AsyncIterator, Sequence
from decimal import Decimal

import psycopg
import pytest

from app.ai_router.types import ChatResponse
from app.platform.broker import Queue
from app.platform.db.pool import create_pool
from app.platform.db.session import in_workspace
from app.quality.rejudging.queries import Judge
from app.quality.rejudging.service import recheck, rejudge_one
from app.verdicts.lifecycle.lifecycle import StoredCall, VerdictLifecycle
from app.verdicts.lifecycle.outcome import Lease, Release
from app.verdicts.lifecycle.parking import price_waiting
from app.verdicts.lifecycle.service import finish_answer
from app.verdicts.policy.evaluation_policy import EvaluationPolicy
from app.verdicts.policy.judge_prices import JudgePrices
from app.verdicts.reading.views import view_of
from judge_replies import good_reply
from stub_server import StubServer, answer
from verdict_world import World, finished_answer, open_world, set_policy, settings, verdict
from worker.judge_loop import JudgeLoop
from workers import Clock

MODEL = "openai:gpt-4o"
CENT = Decimal("0.01")
KEY = {"openai_api_key": "sk-test"}


@pytest.fixture
async def world(clock: Clock, clean_database_url: str) -> AsyncIterator[World]:
    async with open_world(clean_database_url) as world:
        yield world


async def answers(world: World, workspace_id: uuid.UUID, count: int = 1) -> list[uuid.UUID]:
    policy = EvaluationPolicy.from_settings(settings(**KEY))
    return [
        (await finish_answer(world.pool, policy, finished_answer(workspace_id))).evaluation_id
        for _ in range(count)
    ]


async def store_one_cent_answers(
    world: World, workspace_id: uuid.UUID, count: int
) -> list[uuid.UUID]:
    """Answers whose judging is said to cost a cent each."""
    ids = await answers(world, workspace_id, count)
    await world.rows("UPDATE qa_evaluations SET cost_estimate_usd = %s WHERE id = ANY(%s)",
                     CENT, ids)  # fmt: skip
    return ids


async def at_noon(world: World, clock: Clock, *, budget: float, count: int) -> list[uuid.UUID]:
    """Answers of a cent each, in a workspace with so many dollars a day."""
    clock.set("2031-05-10T12:00:00Z")
    policy = {"judge_model": MODEL, "daily_budget_usd": budget}
    return await store_one_cent_answers(
        world, await set_policy(world, settings(**KEY), **policy), count
    )


def reply(lease: Lease, cost: Decimal = CENT) -> StoredCall:
    response = ChatResponse("{}", "openai", "gpt-4o", 1, 2, cost, 3.0, raw_body="{}")
    return StoredCall(lease, uuid.uuid4().hex, "openai", "gpt-4o", response)


async def judge(world: World, leases: Sequence[Lease], cost: Decimal = CENT) -> None:
    """Each for what it really costs."""
    await world.lifecycle.save_replies([reply(lease, cost) for lease in leases])
    await world.lifecycle.record([(lease, verdict()) for lease in leases])


async def waiting(world: World) -> set[tuple[str, dt.datetime]]:
    rows = await world.rows("SELECT reason, run_at FROM qa_evaluations WHERE status = 'queued'")
    return {(row["reason"], row["run_at"].astimezone(dt.UTC)) for row in rows}


def at(written: str) -> dt.datetime:
    return dt.datetime.fromisoformat(written)


async def test_a_cent_a_day_judges_one_answer_and_after_midnight_the_other(world, clock):
    """By the worker itself, with a model server that bills what a gpt-4o of that length costs."""
    clock.set("2031-05-10T23:58:00+09:00")
    async with StubServer(answer(good_reply, usage=(3000, 800))) as stub:
        server = settings(openai_base_url=stub.base_url)
        workspace_id = await set_policy(
            world, server, judge_model=MODEL, daily_budget_usd=0.01, time_zone="Asia/Seoul"
        )
        first, second = await answers(world, workspace_id, 2)
        loop = JudgeLoop(server, world.url)
        await asyncio.to_thread(loop.start)
        try:
            await asyncio.wrap_future(loop.submit([first]))
            await asyncio.wrap_future(loop.submit([second]))

            spent = (await world.row(first))["cost_usd"]
            assert ((await world.row(first))["status"], spent) == ("succeeded", Decimal("0.0155"))
            calls = stub.count
            view = await view_of(world.pool, workspace_id, second)
            assert (view.status, view.reason, view.attempt) == ("queued", "budget_spent", 0)
            assert view.next_attempt_at == at("2031-05-11T00:00:00+09:00")
            assert await world.events(second) == ["queued", "queued"]
            assert await world.lifecycle.take_due(Queue.LIVE, 10) == []

            clock.set("2031-05-11T00:00:01+09:00")
            due = await world.lifecycle.take_due(Queue.LIVE, 10)
            assert due == [second]
            await asyncio.wrap_future(loop.submit(due))
        finally:
            await asyncio.to_thread(loop.close)

    assert (await world.row(second))["status"] == "succeeded"
    assert stub.count == 2 * calls
    days = await world.rows("SELECT day_end, cost_usd FROM judge_spending ORDER BY day_start")
    assert [(day["day_end"], day["cost_usd"]) for day in days] == [
        (at("2031-05-11T00:00:00+09:00"), spent),
        (at("2031-05-12T00:00:00+09:00"), spent),
    ]


async def test_answers_that_come_at_once_do_not_overshoot(world, clock):
    ids = await at_noon(world, clock, budget=0.1, count=64)
    async with create_pool(world.url, max_size=16) as pool:
        many = VerdictLifecycle(pool, settings())
        claimed = await asyncio.gather(*(many.claim([id_]) for id_ in ids))

    leases = [lease for some in claimed for lease in some]
    assert len(leases) == 10
    (held,) = {reason for reason, _ in await waiting(world)}
    assert held == "budget_held"
    # Half of them turn out to cost half.
    await judge(world, leases[:5])
    await judge(world, leases[5:], CENT / 2)
    clock.set("2031-05-10T12:00:10Z")
    more = await world.lifecycle.claim(ids)
    assert len(more) == 2
    await judge(world, more)

    assert await world.lifecycle.claim(ids) == []
    spent = await world.rows("SELECT sum(cost_usd) AS spent FROM judge_calls")
    assert spent[0]["spent"] == Decimal("0.095")
    assert await waiting(world) == {("budget_spent", at("2031-05-11T00:00:00Z"))}
    counted = await world.rows("SELECT count(*) AS n FROM qa_evaluations WHERE status = 'queued'")
    assert counted[0]["n"] == 52, "none is dropped"


async def test_a_list_of_ids_is_let_through_as_far_as_the_money_goes(world, clock):
    ids = await at_noon(world, clock, budget=0.03, count=5)

    leases = await world.lifecycle.claim(ids)

    assert {lease.id for lease in leases} == set(ids[:3])


@pytest.mark.parametrize(
    ("now", "zone", "midnight"),
    [
        ("2031-05-10T12:00:00Z", "Asia/Seoul", "2031-05-10T15:00:00Z"),
        ("2031-05-10T12:00:00Z", "America/New_York", "2031-05-11T04:00:00Z"),
        # The clocks go forward in between, and back.
        ("2031-03-09T06:00:00Z", "America/New_York", "2031-03-10T04:00:00Z"),
        ("2031-11-02T05:00:00Z", "America/New_York", "2031-11-03T05:00:00Z"),
        ("2031-05-10T23:59:00Z", None, "2031-05-11T00:00:00Z"),
    ],
)
async def test_the_day_ends_at_the_workspaces_midnight(world, clock, now, zone, midnight):
    clock.set(now)
    workspace_id = await set_policy(
        world, settings(**KEY), judge_model=MODEL, daily_budget_usd=0.01, time_zone=zone
    )
    ids = await store_one_cent_answers(world, workspace_id, 2)
    await judge(world, await world.lifecycle.claim(ids))

    assert await world.lifecycle.claim(ids) == []

    assert await waiting(world) == {("budget_spent", at(midnight))}


async def test_each_workspace_has_its_own_purse(world, clock):
    clock.set("2031-05-10T12:00:00Z")
    server = settings(**KEY)
    budget = {"judge_model": MODEL, "daily_budget_usd": 0.01}
    poor = await set_policy(world, server, **budget, time_zone="Asia/Seoul")
    other = await set_policy(world, server, workspace="b", **budget, time_zone="Europe/Paris")
    free = await set_policy(world, server, workspace="c", judge_model=MODEL)
    ids = [
        id_
        for workspace_id in (poor, other, free)
        for id_ in await store_one_cent_answers(world, workspace_id, 3)
    ]

    leases = await world.lifecycle.claim(ids)

    assert [lease.workspace_id for lease in leases].count(free) == 3
    assert {lease.workspace_id for lease in leases} == {poor, other, free}
    assert len(leases) == 5
    await judge(world, leases)
    assert await world.lifecycle.claim(ids) == []
    assert await waiting(world) == {
        ("budget_spent", at("2031-05-10T15:00:00Z")),
        ("budget_spent", at("2031-05-10T22:00:00Z")),
    }


async def test_an_answer_dearer_than_the_budget_is_the_only_one_of_its_day(world, clock):
    ids = await at_noon(world, clock, budget=0.001, count=2)

    (lease,) = await world.lifecycle.claim(ids)
    await judge(world, [lease])
    assert await world.lifecycle.claim(ids) == []
    clock.set("2031-05-11T00:00:01Z")

    assert len(await world.lifecycle.claim(ids)) == 1


async def test_a_larger_budget_wakes_what_waits(world, clock):
    clock.set("2031-05-10T12:00:00Z")
    server = settings(**KEY)
    workspace_id = await set_policy(world, server, judge_model=MODEL, daily_budget_usd=0.01)
    ids = await store_one_cent_answers(world, workspace_id, 3)
    await judge(world, await world.lifecycle.claim(ids))
    await world.lifecycle.claim(ids)
    assert await world.lifecycle.take_due(Queue.LIVE, 10) == []

    await set_policy(world, server, judge_model=MODEL, daily_budget_usd=0.02)

    due = await world.lifecycle.take_due(Queue.LIVE, 10)
    assert len(due) == 2
    assert len(await world.lifecycle.claim(due)) == 1


async def test_what_was_spent_before_there_was_a_budget_counts(world):
    server = settings(**KEY)
    workspace_id = await set_policy(world, server, judge_model=MODEL)
    ids = await store_one_cent_answers(world, workspace_id, 3)
    await judge(world, await world.lifecycle.claim(ids[:1]))
    assert await world.rows("SELECT * FROM judge_spending") == [], "nobody wants it counted"

    await set_policy(world, server, judge_model=MODEL, daily_budget_usd=0.02)

    assert len(await world.lifecycle.claim(ids)) == 1
    assert (await world.rows("SELECT cost_usd FROM judge_spending"))[0]["cost_usd"] == CENT


async def test_the_reservation_of_a_released_row_is_freed(world, clock):
    ids = await at_noon(world, clock, budget=0.01, count=2)
    (lease,) = await world.lifecycle.claim(ids)
    assert await world.lifecycle.claim(ids) == []

    await world.lifecycle.record([(lease, Release())])

    assert len(await world.lifecycle.claim(ids)) == 1


async def test_replies_that_are_written_at_once_are_all_counted(world):
    server = settings(**KEY)
    one = await set_policy(world, server, judge_model=MODEL, daily_budget_usd=10)
    two = await set_policy(world, server, workspace="b", judge_model=MODEL, daily_budget_usd=10)
    ids = [
        *await store_one_cent_answers(world, one, 2),
        *await store_one_cent_answers(world, two, 2),
    ]
    leases = await world.lifecycle.claim(ids)
    async with create_pool(world.url, max_size=8) as pool:
        many = VerdictLifecycle(pool, settings())
        calls = [reply(lease) for lease in leases for _ in range(20)]
        backwards = calls[::-1]
        await asyncio.gather(
            *(many.save_replies(calls[i : i + 8]) for i in range(0, 80, 16)),
            *(many.save_replies(backwards[i : i + 8]) for i in range(0, 80, 16)),
        )
        # The same once more: what stands there already is not counted again.
        await many.save_replies(calls[:8])

    written = await world.rows(
        "SELECT workspace_id, sum(cost_usd) AS cost_usd FROM judge_calls GROUP BY 1 ORDER BY 1"
    )
    counted = await world.rows("SELECT workspace_id, cost_usd FROM judge_spending ORDER BY 1")
    assert written == counted


async def test_rules_cost_nothing_and_do_not_wait(world):
    workspace_id = await set_policy(
        world, settings(**KEY), judge_model=MODEL, daily_budget_usd=0.01
    )
    (costly,) = await store_one_cent_answers(world, workspace_id, 1)
    await judge(world, await world.lifecycle.claim([costly]))
    await set_policy(world, settings(**KEY), daily_budget_usd=0.01)
    ids = await answers(world, workspace_id, 3)

    assert len(await world.lifecycle.claim(ids)) == 3


async def test_the_estimate_is_near_and_above_what_a_model_bills(world):
    workspace_id = await set_policy(world, settings(**KEY), judge_model=MODEL)
    (id_,) = await answers(world, workspace_id)

    estimate = (await world.row(id_))["cost_estimate_usd"]

    # Two calls of at most 768 and 512 tokens at 10 dollars a million, and their prompts at 2.5.
    assert Decimal("0.0128") < estimate < Decimal("0.0300")


async def test_a_zone_that_postgresql_does_not_know_cannot_be_stored(world):
    workspace_id = await set_policy(world, settings(**KEY))

    with pytest.raises(psycopg.errors.InvalidParameterValue):
        await world.rows("UPDATE evaluation_policies SET time_zone = 'Mars/Olympus'"
                         " WHERE workspace_id = %s", workspace_id)  # fmt: skip


async def test_long_deferred_answers_are_checked_less_often(world, clock):
    ids = await at_noon(world, clock, budget=0.01, count=4)
    for id_, minutes in zip(ids, (0, 0, 5, 600), strict=True):
        await world.rows(
            "UPDATE qa_evaluations SET created_at = %s::timestamptz - %s * interval '1 min'"
            " WHERE id = %s",
            *("2031-05-10T12:00:00Z", minutes, id_),
        )

    assert len(await world.lifecycle.claim(ids)) == 1

    rows = await world.rows(
        "SELECT run_at, reason FROM qa_evaluations WHERE status = 'queued' ORDER BY run_at"
    )
    assert [row["reason"] for row in rows] == ["budget_held"] * 3
    start = dt.datetime(2031, 5, 10, 12, tzinfo=dt.UTC)
    waits = [(row["run_at"] - start).total_seconds() for row in rows]
    assert waits == pytest.approx([5, 30, 60], abs=3)


async def test_judging_again_waits_for_the_budget_as_well(world, clock):
    clock.set("2031-05-10T12:00:00Z")
    server = settings(**KEY)
    workspace_id = await set_policy(world, server, judge_model=MODEL, daily_budget_usd=0.05)
    ids = await answers(world, workspace_id, 3)
    fresh = (await world.row(ids[0]))["cost_estimate_usd"]
    stand_in = verdict()._replace(degraded_because="transient: down")
    await world.rows("UPDATE qa_evaluations SET cost_estimate_usd = 0")
    await world.lifecycle.record([(lease, stand_in) for lease in await world.lifecycle.claim(ids)])
    prices = JudgePrices(server)
    clock.set("2031-05-10T13:00:00Z")
    assert await recheck(world.pool, prices, judge_model=MODEL, pause=0) == 1
    async with in_workspace(world.sessions, workspace_id) as session, session.begin():
        choice = Judge.asked_for(MODEL, "search-qa-eval-6", server)
        for id_ in ids:
            await rejudge_one(session, workspace_id, id_, choice, prices)

    rows = await world.rows(
        "SELECT id, judge_prompt, cost_estimate_usd AS cost FROM qa_evaluations"
        " WHERE status = 'queued'"
    )
    (again,) = (row["cost"] for row in rows if row["judge_prompt"] is None)
    assert abs(again - fresh) < Decimal("0.00001")
    assert all(row["cost"] > CENT for row in rows)
    leases = await world.lifecycle.claim([row["id"] for row in rows])
    assert 0 < len(leases) < 4
    assert {reason for reason, _ in await waiting(world)} == {"budget_held"}


async def test_the_turns_before_an_answer_are_estimated(world):
    workspace_id = await set_policy(world, settings(**KEY), judge_model=MODEL, daily_budget_usd=1)
    ids = await answers(world, workspace_id, 2)
    await world.rows(
        "UPDATE qa_answers SET history = jsonb_build_array(%s::text)"
        " FROM qa_evaluations e WHERE e.answer_id = qa_answers.id AND e.id = %s",
        *("가" * 1000, ids[1]),
    )
    await world.rows(
        "UPDATE qa_evaluations SET cost_estimate_usd = NULL, reason = 'budget_unpriced'"
    )

    assert await price_waiting(world.pool, JudgePrices(settings(**KEY))) == 2

    alone, later = [(await world.row(each))["cost_estimate_usd"] for each in ids]
    assert later - alone > Decimal("0.0025"), "a thousand tokens at 2.5 dollars a million"


async def test_a_judge_without_a_price_waits_until_it_has_one(world, clock):
    """As after the server's judge was changed: no policy with a budget could name it."""
    clock.set("2031-05-10T12:00:00Z")
    workspace_id = await set_policy(world, settings(**KEY), judge_model=MODEL, daily_budget_usd=1)
    id_, long = await answers(world, workspace_id, 2)
    await world.rows(
        "UPDATE qa_answers SET answer = repeat(answer, 600) FROM qa_evaluations e"
        " WHERE e.answer_id = qa_answers.id AND e.id = %s",
        long,
    )
    await world.rows(
        "UPDATE qa_evaluations SET judge_model = 'openai:unheard-of', cost_estimate_usd = NULL"
    )

    assert await world.lifecycle.claim([id_, long]) == []
    view = await view_of(world.pool, workspace_id, id_)
    assert (view.status, view.reason) == ("queued", "budget_unpriced")
    assert await price_waiting(world.pool, JudgePrices(settings(**KEY))) == 0

    own = settings(**KEY, model_prices="openai:unheard-of=1/2")
    assert await price_waiting(world.pool, JudgePrices(own)) == 2
    one, in_parts = [(await world.row(each))["cost_estimate_usd"] for each in (id_, long)]
    assert one > 0
    assert in_parts > 2 * one, "a call for each part"
    assert len(await world.lifecycle.claim([id_])) == 1


async def test_without_a_budget_no_price_is_read(world):
    workspace_id = await set_policy(world, settings(**KEY), judge_model=MODEL)
    (id_,) = await answers(world, workspace_id)
    await world.rows(
        "UPDATE qa_evaluations SET judge_model = 'openai:unheard-of', cost_estimate_usd = NULL"
    )

    assert len(await world.lifecycle.claim([id_])) == 1


async def test_free_judges_take_nothing_from_a_spent_budget(world, clock):
    clock.set("2031-05-10T12:00:00Z")
    workspace_id = await set_policy(world, settings(**KEY), judge_model=MODEL, daily_budget_usd=1)
    dear, free, older = await answers(world, workspace_id, 3)
    await world.rows("UPDATE qa_evaluations SET cost_estimate_usd = 1 WHERE id = %s", dear)
    await world.rows(
        "UPDATE qa_evaluations SET judge_model = 'ollama:llama3.2', cost_estimate_usd = 0"
        " WHERE id = %s", free,
    )  # fmt: skip
    await world.rows(
        "UPDATE qa_evaluations SET judge_model = 'offline:rules', cost_estimate_usd = NULL"
        " WHERE id = %s", older,
    )  # fmt: skip
    await judge(world, await world.lifecycle.claim([dear]), Decimal(1))

    assert len(await world.lifecycle.claim([free, older])) == 2
