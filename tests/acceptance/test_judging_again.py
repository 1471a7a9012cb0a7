"""A judge that is down and comes back, then another prompt, all of it by commands."""

import json
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from judge_replies import CORRECTNESS, well
from live_stack import LiveStack, eventually, live_stack, open_with_notes
from stub_server import StubServer, status

# One loop for all: the stub judge lives in it and keeps its port while the stack runs.
pytestmark = [pytest.mark.acceptance, pytest.mark.asyncio(loop_scope="module")]

QUESTION = "PCR 변성은 몇 도에서 하나요?"
BY_CLAIMS = "search-qa-eval-2"


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def judge() -> AsyncIterator[StubServer]:
    async with StubServer(status(500)) as server:
        yield server


@pytest.fixture(scope="module")
def stack(judge: StubServer, new_folder: Callable[[], Path]) -> Iterator[LiveStack]:
    """Its judge is the stub, and rules stand in for it after one try."""
    with live_stack(
        new_folder(),
        "--no-flower",
        SEARCHQA_JUDGE_MODEL="openai:gpt-4o-mini",
        OPENAI_API_KEY="sk-acceptance-secret",
        OPENAI_BASE_URL=judge.base_url,
        SEARCHQA_MAX_ATTEMPTS="1",
        SEARCHQA_PAUSE_SECONDS="1",
    ) as stack:
        yield stack


async def current(stack: LiveStack) -> list[dict[str, Any]]:
    found = json.loads(await stack.succeed("evaluations", "list", "--json"))
    return [view for view in found if view["is_current"]]


async def test_from_a_stand_ins_verdict_to_that_of_another_prompt(
    stack: LiveStack, judge: StubServer
) -> None:
    await open_with_notes(stack)
    for _ in range(2):
        await stack.succeed("ask", QUESTION)
    first = await current(stack)
    assert [(view["degraded"], view["provider"]) for view in first] == [(True, "offline")] * 2

    judge.default = well()

    async def judged_by_the_model() -> bool:
        return not any(view["degraded"] for view in await current(stack))

    await eventually(judged_by_the_model, within=40)
    second = await current(stack)
    assert {view["correctness"] for view in second} == {CORRECTNESS}

    again = ("evaluations", "rejudge", "--prompt", BY_CLAIMS)
    nothing = await stack.succeed(*again, "--where", "degraded=true")
    assert "0 of 2 answers match" in nothing
    assert "Nothing to do." in nothing
    everything = await stack.run(*again, "--since", "1d")
    assert everything.code == 1
    assert "matches every answer (2)" in everything.err
    price = await stack.succeed(*again, "--all", "--dry-run")
    assert "2 are to be judged by openai:gpt-4o-mini (search-qa-eval-2)" in price
    assert "About 4 model calls" in price
    assert ", $0." in price
    unasked = await stack.run(*again, "--all")
    assert unasked.code == 1, "nobody said yes"

    told = await stack.succeed(*again, "--all", "--yes")

    assert "2 judged again" in told
    third = await current(stack)
    assert {view["correctness"] for view in third} == {0.5}
    one = third[0]
    listed = json.loads(
        await stack.succeed("evaluations", "list", "--answer", one["answer_id"], "--json")
    )
    assert [view["is_current"] for view in listed] == [True, False, False]
    assert listed[0]["id"] == one["id"]
    (job,) = json.loads(await stack.succeed("jobs", "--json"))
    assert (job["kind"], job["status"], job["done"], job["total"]) == ("rejudge", "succeeded", 2, 2)
    once_more = await stack.succeed(*again, "--all", "--yes")
    assert "2 of them it has judged already" in once_more
