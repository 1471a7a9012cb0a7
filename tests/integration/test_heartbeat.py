"""The watchdog of a process and the probe that looks at it from outside."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from app.heartbeat import Heartbeat, last_beat

# A loop turns; another hangs from its second turn on, as the arguments say.
PROGRAM = """
import asyncio, re, sys, threading, time
from pathlib import Path
from app.heartbeat import heartbeat

def hang(how):
    if how == "lock":
        re.match(r"(a+)+$", "a" * 64 + "b")
    threading.Event().wait()

async def main(how):
    heartbeat.start(1, Path(sys.argv[2]))
    beating = asyncio.create_task(heartbeat.keep("main"))
    print("beating", flush=True)
    await asyncio.sleep(0.2)
    if how == "stops":
        heartbeat.stop()
        time.sleep(2)
        return
    if how == "other":
        heartbeat.expect("other")
        await asyncio.Event().wait()
    hang(how)

asyncio.run(main(sys.argv[1]))
"""


def run(how: str, file: Path) -> tuple[int, str]:
    ended = subprocess.run(
        [sys.executable, "-c", PROGRAM, how, str(file)], capture_output=True, text=True, timeout=60
    )
    return ended.returncode, ended.stderr


def probe(file: Path) -> int:
    return subprocess.run(
        [sys.executable, "-m", "app.heartbeat", str(file)], capture_output=True, timeout=60
    ).returncode


@pytest.mark.parametrize("how", ["lock", "loop", "other"])
def test_a_process_whose_loop_no_longer_turns_ends_itself(how: str, tmp_path: Path) -> None:
    """lock: a regular expression holds Python's lock. loop: the loop is blocked. other: one of
    two loops has never turned."""
    code, said = run(how, tmp_path / "beat")
    assert code == 1
    assert "Timeout" in said
    assert "in main" in said or how == "other"


def test_a_process_that_stops_may_take_its_time(tmp_path: Path) -> None:
    code, said = run("stops", tmp_path / "beat")
    assert (code, said) == (0, "")


def test_the_probe_sees_whether_the_proof_is_fresh(tmp_path: Path) -> None:
    file = tmp_path / "beat"
    assert probe(file) == 1, "nobody has begun"
    heartbeat = Heartbeat()
    heartbeat.start(30, file)
    try:
        assert probe(file) == 0
        age, limit = last_beat(file)
        assert (0 <= age < 30, limit) == (True, 120), "it is still starting"
    finally:
        heartbeat.stop()
    file.write_text(f"{time.monotonic() - 31:.3f} 30\n")
    assert probe(file) == 1


def test_all_loops_must_beat(tmp_path: Path) -> None:
    file = tmp_path / "beat"
    heartbeat = Heartbeat()
    heartbeat.start(60, file)
    try:
        heartbeat.expect("one")
        heartbeat.expect("two", silence=0)
        time.sleep(0.002)
        first = file.read_text()
        heartbeat.beat("one")
        heartbeat.beat("one")
        assert file.read_text() == first
        time.sleep(0.002)
        heartbeat.beat("two")
        second = file.read_text()
        assert second != first
        heartbeat.release("two")
        time.sleep(0.002)
        heartbeat.beat("one")
        assert file.read_text() != second
    finally:
        heartbeat.stop()
