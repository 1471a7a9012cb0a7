"""The watchdog of a process and the probe that looks at it from outside."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from app.platform.heartbeat import Heartbeat, last_beat
from cases import TIMEOUT_SECONDS

# A loop turns; another hangs from its second turn on, as the arguments say.
PROGRAM = """
import asyncio, re, sys, threading
from pathlib import Path
from app.platform.heartbeat import heartbeat

def hang(how):
    if how == "lock":
        re.match(r"(a+)+$", "a" * 64 + "b")
    threading.Event().wait()

async def main(how):
    heartbeat.start(1, Path(sys.argv[2]))
    beating = asyncio.create_task(heartbeat.keep("main"))
    await asyncio.sleep(0)  # the first beat
    if how == "other":
        heartbeat.expect("other")
        await asyncio.Event().wait()
    hang(how)

asyncio.run(main(sys.argv[1]))
"""


def run(how: str, file: Path) -> tuple[int, str]:
    ended = subprocess.run(
        [sys.executable, "-c", PROGRAM, how, str(file)],
        capture_output=True,
        text=True,
        timeout=TIMEOUT_SECONDS,
    )
    return ended.returncode, ended.stderr


def probe(file: Path) -> int:
    return subprocess.run(
        [sys.executable, "-m", "app.platform.heartbeat", str(file)],
        capture_output=True,
        timeout=TIMEOUT_SECONDS,
    ).returncode


@pytest.mark.parametrize("how", ["lock", "loop", "other"])
def test_a_process_whose_loop_no_longer_turns_ends_itself(how, tmp_path):
    """lock: a regular expression holds Python's lock. loop: the loop is blocked. other: one of
    two loops has never turned."""
    code, said = run(how, tmp_path / "beat")
    assert code == 1
    assert "Timeout" in said
    assert "in main" in said or how == "other"


class Watchdog:
    """What the heartbeat has asked faulthandler for, and a clock that the test moves."""

    def __init__(self) -> None:
        self.now = 100.0
        self.limit: float | None = None

    def monotonic(self) -> float:
        return self.now

    def dump_traceback_later(self, limit: float, *, exit: bool, file: int) -> None:  # noqa: A002
        assert exit
        self.limit = limit

    def cancel_dump_traceback_later(self) -> None:
        self.limit = None


@pytest.fixture
def watchdog(monkeypatch: pytest.MonkeyPatch) -> Watchdog:
    watchdog = Watchdog()
    monkeypatch.setattr("app.platform.heartbeat.faulthandler", watchdog)
    monkeypatch.setattr("app.platform.heartbeat.time", watchdog)
    return watchdog


def test_a_process_that_stops_may_take_its_time(watchdog):
    heartbeat = Heartbeat()
    heartbeat.start(30, None)
    assert watchdog.limit == 120, "it has much to load"
    heartbeat.expect("main")
    heartbeat.beat("main")
    assert watchdog.limit == 30
    heartbeat.stop()
    heartbeat.beat("main")
    assert watchdog.limit is None


def test_the_probe_sees_whether_the_proof_is_fresh(tmp_path):
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


def test_all_loops_must_beat(watchdog, tmp_path):
    file = tmp_path / "beat"

    def proven_at() -> float:
        return float(file.read_text().split()[0])

    heartbeat = Heartbeat()
    heartbeat.start(60, file)
    heartbeat.expect("one")
    heartbeat.expect("two", silence=0)
    watchdog.now += 1
    heartbeat.beat("one")
    assert proven_at() == 100, "two has not turned since"
    heartbeat.beat("two")
    assert proven_at() == 101
    heartbeat.release("two")
    watchdog.now += 1
    heartbeat.beat("one")
    assert proven_at() == 102
