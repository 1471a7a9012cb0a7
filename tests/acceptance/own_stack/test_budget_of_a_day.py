"""A day's budget that the first answer uses up: the others say why they wait, and are judged on
the days after. The database's clock is turned, not waited for."""

import asyncio
import datetime as dt
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from event_stream import Event, events

import servers
from cases import TIMEOUT_SECONDS, eventually
from judge_replies import good_reply
from live_stack import LiveStack, live_stack, open_with_notes
from stub_server import StubServer, answer
from workers import Clock

pytestmark = pytest.mark.acceptance

ZONE = ZoneInfo("Asia/Seoul")
QUESTION = "PCR 변성은 몇 도에서 하나요?"
# Read once: a midnight during the test must not move it.
TODAY = dt.datetime.now(ZONE).date()
# Two calls of 1,500 and 400 tokens each, at 15 and 60 cents a million.
COST = 0.00093


@pytest.fixture
def database_url(run_folder: Path) -> Iterator[str]:
    with servers.migrated_database(servers.start_postgres(run_folder)) as url:
        yield url


def days_from_now(days: int, hour: int, second: int = 0) -> dt.datetime:
    """That time of the zone. What column defaults say is the real time, so it must lie ahead."""
    return dt.datetime.combine(TODAY + dt.timedelta(days), dt.time(hour, second=second), ZONE)


async def test_what_the_budget_puts_off_says_so_and_is_judged_after_midnight(
    database_url, new_folder
):
    clock = Clock(database_url)
    clock.set(days_from_now(1, hour=12).isoformat())
    async with StubServer(answer(good_reply, usage=(3000, 800))) as judge:
        with live_stack(
            new_folder(),
            "--no-flower",
            DATABASE_URL=database_url,
            SEARCHQA_JUDGE_MODEL="openai:gpt-4o-mini",
            OPENAI_API_KEY="sk-acceptance-secret",
            OPENAI_BASE_URL=judge.base_url,
        ) as stack:
            await days_of_a_budget(stack, clock, judge)


async def days_of_a_budget(stack: LiveStack, clock: Clock, judge: StubServer) -> None:
    token = await open_with_notes(stack)
    # Tokens that commands make for themselves are short-lived by the real clock.
    user = {"SEARCHQA_URL": stack.info.api_url, "SEARCHQA_TOKEN": token}
    await stack.succeed("policy", "set", "daily_budget_usd=0.00099", "time_zone=Asia/Seoul", **user)

    first = json.loads(await stack.succeed("ask", QUESTION, "--json", **user))["evaluation"]
    assert (first["status"], first["cost_usd"]) == ("succeeded", COST)
    calls = judge.count

    async with stack.client(token) as client:
        body = {"feature": "search_qa", "content": QUESTION}
        # Sooner than the stream would give up waiting.
        async with (
            asyncio.timeout(TIMEOUT_SECONDS),
            events(client, "/ai/stream", method="POST", body=body) as s,
        ):
            streamed = [event async for event in s]
        second = streamed[-1].data["id"]
        view = (await client.get(f"/qa-evaluations/{second}")).json()
    assert state_of(streamed[-1]) == ("evaluation", "queued", "budget_spent")
    assert (view["status"], view["reason"], view["attempt"]) == ("queued", "budget_spent", 0)
    midnight = dt.datetime.fromisoformat(view["next_attempt_at"])
    assert midnight == days_from_now(2, hour=0)
    shown = await stack.succeed("verdicts", "show", second, **user)
    assert "오늘 예산을 다 써서" in shown
    assert "이후에 평가합니다" in shown

    asked = await stack.run("ask", QUESTION, **user)
    assert asked.code == 1, "there is no verdict today"
    assert "오늘 예산을 다 써서" in asked.out
    policy = await stack.succeed("policy", "show", **user)
    assert "$0.0009 spent, $0.0001 left, 2 answers wait for tomorrow" in policy
    assert judge.count == calls

    for days, judged in ((2, 2), (3, 3)):
        clock.set(days_from_now(days, hour=0, second=1).isoformat())

        async def states_settled(judged: int = judged) -> bool:
            states = await states_of(stack, user)
            return states.count(("succeeded", None)) == judged and all(
                state in {("succeeded", None), ("queued", "budget_spent")} for state in states
            )

        await eventually(states_settled)
    assert judge.count == 3 * calls


def state_of(event: Event) -> tuple[str, Any, Any]:
    return event.name, event.data["status"], event.data["reason"]


async def states_of(stack: LiveStack, user: dict[str, str]) -> list[tuple[str, str | None]]:
    async with stack.client(user["SEARCHQA_TOKEN"]) as client:
        page = (await client.get("/qa-evaluations")).json()
    return [(view["status"], view["reason"]) for view in page["items"]]
