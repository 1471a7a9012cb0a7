"""`searchqa up` starts what there is work for, and ends as a whole."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator

import httpx
import pytest
from event_stream import Event, events

from cases import TIMEOUT_SECONDS, eventually
from live_stack import LiveStack, live_stack

pytestmark = pytest.mark.acceptance


async def test_sigterm_ends_everything_with_a_reader_connected(new_folder):
    with live_stack(new_folder(), "--workers", "2", "--no-flower") as stack:
        token = (await stack.succeed("token", "create", "reader")).strip()
        running = " ".join(stack.processes().values())
        for part in ("app.api", "worker-1@", "worker-2@", "bulk@", "dispatcher"):
            assert part in running
        assert "isolated@" not in running, "there is nothing to isolate"
        assert "valkey-server" in running
        assert "postgres" in running
        assert "worker.flower" not in running
        async with (
            stack.client(token) as client,
            events(client, "/qa-evaluations/events") as stream,
        ):
            reading = asyncio.create_task(_read_to_end(stream))
            left = await asyncio.to_thread(stack.stop)
            await asyncio.wait_for(asyncio.gather(reading, return_exceptions=True), TIMEOUT_SECONDS)

    assert left == []
    assert stack.process.returncode == 0
    assert not (stack.folder / "data" / "stack.json").exists()
    assert "killed" not in stack.log
    assert "RuntimeWarning" not in stack.log


async def _read_to_end(stream: AsyncIterator[Event]) -> list[Event]:
    return [event async for event in stream]


ANSWER = {
    "question": "PCR 변성은 몇 도에서 하나요?",
    "answer": "변성은 95도에서 한다. [노트 1]",
    "sources": [{"title": "PCR", "content": "PCR 변성은 95도에서 30초 동안 한다."}],
}
# Nobody has it in hand, and it looks as if its worker had died twice while judging it alone.
_SUSPECT = """
UPDATE qa_evaluations SET status = 'retrying', reason = NULL, queue = 'isolated', crashes = 2,
    run_at = now() WHERE id = %s RETURNING id
"""


async def test_the_isolated_worker_runs_when_there_is_a_suspect_and_is_restarted(new_folder):
    with live_stack(new_folder(), "--no-flower", SEARCHQA_SAMPLE_RATE="0") as stack:
        async with stack.client(await stack.token()) as client:
            assert "isolated" not in _scraped(stack)
            await _suspect_is_judged(stack, client)
            assert "isolated" in _scraped(stack)

            killed = stack.part("isolated@")
            os.kill(killed, signal.SIGKILL)
            await _suspect_is_judged(stack, client)
            assert stack.part("isolated@") != killed


def _scraped(stack: LiveStack) -> str:
    return (stack.folder / "data" / "metrics.json").read_text()


async def _suspect_is_judged(stack: LiveStack, client: httpx.AsyncClient) -> None:
    posted = (await client.post("/qa-evaluations", json=ANSWER)).raise_for_status().json()
    await stack.rows(_SUSPECT, posted["id"])

    async def status() -> str:
        view = (await client.get(f"/qa-evaluations/{posted['id']}")).raise_for_status().json()
        return str(view["status"])

    await eventually(status, when="succeeded".__eq__)
