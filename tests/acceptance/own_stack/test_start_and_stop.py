"""`searchqa up` ends as a whole."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from event_stream import Event, events

from live_stack import live_stack

pytestmark = pytest.mark.acceptance


async def test_sigterm_ends_everything_with_a_reader_connected(new_folder):
    with live_stack(new_folder(), "--workers", "2", "--no-flower") as stack:
        token = (await stack.succeed("token", "create", "reader")).strip()
        running = " ".join(stack.processes().values())
        for part in ("app.api", "worker-1@", "worker-2@", "bulk@", "isolated@", "dispatcher"):
            assert part in running
        assert "valkey-server" in running
        assert "postgres" in running
        assert "worker.flower" not in running
        async with (
            stack.client(token) as client,
            events(client, "/qa-evaluations/events") as stream,
        ):
            reading = asyncio.create_task(_read_to_end(stream))
            left = await asyncio.to_thread(stack.stop)
            await asyncio.wait_for(asyncio.gather(reading, return_exceptions=True), 5)

    assert left == []
    assert stack.process.returncode == 0
    assert not (stack.folder / "data" / "stack.json").exists()
    assert "killed" not in stack.log
    assert "RuntimeWarning" not in stack.log


async def _read_to_end(stream: AsyncIterator[Event]) -> list[Event]:
    return [event async for event in stream]
