"""`searchqa up` ends as a whole, and `searchqa demo` does the main job by itself."""

import asyncio
import subprocess
from collections.abc import AsyncIterator

import pytest
from event_stream import Event, events

from app.notes.samples import SAMPLE_QUESTIONS
from live_stack import SEARCHQA, STOP_SECONDS, live_stack, user_environment

pytestmark = pytest.mark.acceptance

# The headlines of rules, in the languages of the questions.
OUTCOMES = (
    *("노트와 일치", "노트와 어긋남", "규칙으로는 판단할 수 없음", "노트에 없다고 바르게 답함"),
    *("Matches the notes", "Differs from the notes", "Rules cannot tell"),
)


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
            took, left = await asyncio.to_thread(stack.stop)
            await asyncio.wait_for(asyncio.gather(reading, return_exceptions=True), 5)

    assert left == []
    assert took < STOP_SECONDS, stack.log
    assert stack.process.returncode == 0
    assert not (stack.folder / "data" / "stack.json").exists()
    assert "killed" not in stack.log
    assert "RuntimeWarning" not in stack.log


async def _read_to_end(stream: AsyncIterator[Event]) -> list[Event]:
    return [event async for event in stream]


def test_the_demo_ends_well_and_can_be_repeated(new_folder):
    folder = new_folder()
    folder.mkdir()
    for run in ("first", "second"):
        ran = subprocess.run(
            [SEARCHQA, "demo"],
            env=user_environment(folder / "data"),
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert ran.returncode == 0, f"{run}: {ran.stderr or ran.stdout}"
        for _, question in SAMPLE_QUESTIONS:
            output = ran.stdout.partition(question)[2].partition("▶")[0]
            judged = any(f"◇ {outcome}" in output for outcome in OUTCOMES)
            assert judged or "평가하지 않음 (skipped)" in output, f"{run}: {question}: {output}"
        assert ran.stdout.count("◇ ") >= len(SAMPLE_QUESTIONS) - 1
        assert "SELECT e.status" in ran.stdout
        for named in ("daily-quality", "confidence-mix"):
            output = ran.stdout.partition(f"searchqa analytics {named}\n")[2]
            assert output.split()[0] == "day"
