"""The peers, each in a virtual environment of its own below .bench/."""

import asyncio
import hashlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench_answers import ANSWER, NOTES, QUESTION
from bench_parts import Stub
from figures import Figures

HERE = Path(__file__).parent / "peers"
BENCH = Path(__file__).parent.parent / ".bench"
NAMES = ("ragas", "deepeval", "phoenix")
_NO_TELEMETRY = {
    "RAGAS_DO_NOT_TRACK": "true",
    "DEEPEVAL_TELEMETRY_OPT_OUT": "1",
    "DEEPEVAL_DISABLE_DOTENV": "1",
    "DEEPEVAL_UPDATE_WARNING_OPT_IN": "0",
}


def prepare(name: str) -> str | None:
    """Installs the peer as its requirements name it, unless it is there; what went wrong, if it
    did."""
    requirements = HERE / f"{name}.txt"
    folder = BENCH / "venv" / name
    installed = folder / "installed"
    wanted = hashlib.sha256(requirements.read_bytes()).hexdigest()
    if installed.exists() and installed.read_text() == wanted:
        return None
    print(f"Installing {name} in {folder} …", file=sys.stderr)
    uv = Path(sys.executable).with_name("uv")
    commands: tuple[list[str | Path], ...] = (
        [uv, "venv", "--quiet", "--clear", "--python", sys.executable, folder],
        [uv, "pip", "install", "--quiet", "--python", folder / "bin/python", "-r", requirements],
    )
    for command in commands:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            return done.stderr.strip() or f"{command[1]} ended with code {done.returncode}"
    installed.write_text(wanted)
    return None


@dataclass(frozen=True)
class Peer:
    """A running peer; see peers/driver.py. version: of the package."""

    name: str
    version: str
    _process: asyncio.subprocess.Process
    _stub: Stub

    async def judge(self, answers: int, in_flight: int) -> Figures:
        """Scores the answer so many times. There is no queue, no storage and no other process."""
        result = await self.scores(answers, in_flight)
        if result["scored"] != answers:
            raise SystemExit(f"{self.name} gave {result['scored']} scores for {answers} answers.")
        return Figures(
            answers_per_second=answers / result["seconds"],
            cpu_ms=result["cpu_seconds"] * 1000 / answers,
            most_in_flight=(await self._stub.stats())["most_in_flight"],
            memory_mb=result["memory_mb"],
        )

    async def scores(self, answers: int, in_flight: int = 0) -> dict[str, Any]:
        """`scored`: how many have a score; `seconds` that it took."""
        assert self._process.stdin
        self._process.stdin.write(f"{answers} {in_flight}\n".encode())
        return await _read_result(self.name, self._process)


@asynccontextmanager
async def peer(name: str, stub: Stub, script: str = "bench") -> AsyncIterator[Peer]:
    """The peer, with its modules loaded, driven by `peers/NAME_SCRIPT.py`."""
    material = {
        "base_url": stub.base_url_of(name),
        "question": QUESTION,
        "answer": ANSWER,
        "notes": [note.content for note in NOTES],
    }
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(material, file)
        file.flush()
        process = await asyncio.create_subprocess_exec(
            *(BENCH / "venv" / name / "bin/python", HERE / f"{name}_{script}.py", file.name),
            env=environment(),
            cwd=BENCH,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        try:
            version = (await _read_result(name, process))["version"]
            yield Peer(name, version, process, stub)
        finally:
            assert process.stdin
            process.stdin.close()
            try:
                await asyncio.wait_for(process.wait(), 10)
            except TimeoutError:
                process.kill()
                await process.wait()


def environment() -> dict[str, str]:
    """This process's, less what is meant for our own sources and models."""
    ours = ("PYTHONPATH", "OPENAI_", "SEARCHQA_")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    return kept | _NO_TELEMETRY


async def _read_result(name: str, process: asyncio.subprocess.Process) -> dict[str, Any]:
    assert process.stdout
    line = await process.stdout.readline()
    if not line:
        raise SystemExit(f"{name} ended; see what it said above.")
    result: dict[str, Any] = json.loads(line)
    return result
