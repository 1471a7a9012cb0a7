"""A bulk worker that is killed in the middle of a judge bench."""

import asyncio
import json
import os
import signal
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from judge_replies import good_reply
from labelled_file import write_labelled
from live_stack import eventually, live_stack
from stub_server import StubServer, answer

pytestmark = pytest.mark.acceptance


@pytest.fixture
async def model() -> AsyncIterator[StubServer]:
    """A judge that takes its time and finds everything right."""
    async with StubServer(answer(good_reply, latency=0.2)) as server:
        yield server


async def test_a_killed_worker_loses_nothing_and_little_is_paid_twice(
    model: StubServer, new_folder: Callable[[], Path], tmp_path: Path
) -> None:
    file = write_labelled(tmp_path / "labelled.jsonl")
    file.write_text(file.read_text(encoding="utf-8") * 10, encoding="utf-8")
    calls = 60
    environment = {
        "OPENAI_API_KEY": "sk-acceptance-secret",
        "OPENAI_BASE_URL": model.base_url,
        # Long enough for a busy machine, where a worker loads its Korean model in its first job.
        "SEARCHQA_JOB_LEASE": "10",
    }
    with live_stack(new_folder(), "--no-flower", **environment) as stack:
        arguments = ("judge-bench", str(file), "--no-spans", "--yes", "--json")
        running = asyncio.create_task(stack.succeed(*arguments, "-j", "openai:gpt-4o-mini"))

        async def some_are_judged() -> bool:
            return model.count > 15

        await eventually(some_are_judged)
        os.kill(stack.part("bulk@"), signal.SIGKILL)
        bench = json.loads(await running)

    assert (bench["status"], bench["done"], bench["failed"]) == ("completed", calls, 0)
    (judged,) = bench["summary"]["judges"]
    assert judged["cost_usd"] > 0
    # Three parts, four answers at a time.
    assert calls < model.count <= calls + 3 * 4
