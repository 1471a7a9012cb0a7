"""A disk without space: the API says that it cannot store answers, and until when; verdicts and
deliveries of webhooks wait."""

import asyncio
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from harness import HOST, LONG_LEASE, open_stack
from victims import Postgres

from api_client import NOTES, QUESTION
from app.operations.embedded.ports import free_port
from cases import eventually
from judge_replies import well
from stub_server import Exchange
from verdict_world import open_world, store_answers
from webhook_world import add_hook, deliveries, hook_receiver, hook_settings, judge, reply
from worker import batched_lifecycle
from worker.webhook_loop import WebhookLoop

SIZE = "400m"
ANSWERS = 30


@pytest.fixture
def small_disk(new_folder: Path) -> Iterator[Path]:
    """A file system of its own, in memory."""
    if os.geteuid() != 0:
        pytest.skip("only root may mount a file system")
    folder = new_folder.with_name(f"{new_folder.name}-disk")
    folder.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "tmpfs", folder])
    if mounted.returncode != 0:
        pytest.skip("no file system may be mounted here")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)


def fill(folder: Path) -> Path:
    """Takes all the space that is left; gives the file that has it."""
    ballast = folder / "ballast"
    with ballast.open("wb") as file:
        free = os.statvfs(folder).f_bavail * os.statvfs(folder).f_frsize
        os.posix_fallocate(file.fileno(), 0, free)
    return ballast


@pytest.mark.slow_fault
async def test_a_full_disk(new_folder, small_disk):
    port = free_port(HOST)
    server = Postgres(small_disk)
    async with server.running(), open_stack(new_folder, server.url) as stack:
        api = await stack.start_api(port)
        async with await stack.api_client(port) as client:
            assert (await client.post("/notes/import", json=NOTES)).is_success
            assert (await client.get("/readyz")).status_code == 200

            ballast = await asyncio.to_thread(fill, small_disk)

            async def readyz_returns(status: int) -> bool:
                return (await client.get("/readyz")).status_code == status

            await eventually(lambda: readyz_returns(503))
            assert (await client.get("/readyz")).json()["postgresql"] == "disk full"
            assert (await client.get("/healthz")).status_code == 200, "it need not be restarted"
            code, shown = await stack.searchqa(port, "doctor")
            assert code != 0
            assert "disk is full" in shown

            ballast.unlink()
            await eventually(lambda: readyz_returns(200))
            assert (await client.post("/ai/chat", json=QUESTION)).status_code == 200
        assert api.alive


@pytest.mark.slow_fault
async def test_a_disk_that_is_full_when_verdicts_are_recorded(new_folder, small_disk, holds):
    """They wait, and are recorded when there is room."""
    server = Postgres(small_disk)
    async with server.running(), open_stack(new_folder, server.url, **LONG_LEASE) as stack:
        (worker, _) = await stack.start()
        full = asyncio.Event()

        async def judge(exchange: Exchange) -> None:
            await full.wait()
            await well()(exchange)

        stack.judge.default = judge
        await stack.answer(ANSWERS)

        async def all_asked() -> bool:
            return stack.judge.count >= ANSWERS

        await eventually(all_asked)
        ballast = await asyncio.to_thread(fill, small_disk)
        full.set()
        await worker.logged("space left on device")
        ballast.unlink()

        await holds(stack, "disk full while verdicts are recorded")


# A delivery that is noted needs a page more than it had.
_GROW = """
CREATE TABLE growth (filling text);
CREATE FUNCTION grow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO growth SELECT repeat('x', 1000) FROM generate_series(1, 100);
    RETURN NEW;
END $$;
CREATE TRIGGER grows BEFORE UPDATE ON webhook_deliveries FOR EACH ROW EXECUTE FUNCTION grow()
"""


@pytest.mark.slow_fault
async def test_a_disk_that_is_full_when_a_delivery_is_recorded(small_disk, monkeypatch, caplog):
    """Nothing is stored until there is room, and the receiver gets it once."""
    monkeypatch.setattr(batched_lifecycle, "DATABASE_RETRY_SECONDS", (0.1,))
    monkeypatch.setattr(batched_lifecycle, "OUTAGE_RETRY_SECONDS", 0.1)
    ballasts: list[Path] = []

    async def fill_and_reply(writer: asyncio.StreamWriter) -> None:
        ballasts.append(await asyncio.to_thread(fill, small_disk))
        await reply()(writer)

    server = Postgres(small_disk)
    async with (
        server.running(),
        open_world(server.url) as world,
        hook_receiver(fill_and_reply) as receiver,
    ):
        await world.rows(_GROW)
        await add_hook(world, receiver.url)
        (new,) = await store_answers(world, 1)
        await judge(world, new.evaluation_id)
        loop = WebhookLoop(hook_settings(), world.url)
        await asyncio.to_thread(loop.start)
        try:
            await eventually(lambda: caplog.text.count("No space left on device") >= 4)
            (row,) = await deliveries(world)
            assert (row["status"], row["log"]) == ("pending", [])
            ballasts[0].unlink()

            async def delivered() -> bool:
                (row,) = await deliveries(world)
                return row["status"] == "delivered"

            await eventually(delivered)
        finally:
            await asyncio.to_thread(loop.close)
        (row,) = await deliveries(world)
        assert (len(row["log"]), len(receiver.hooks)) == (1, 1)
