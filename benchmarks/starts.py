"""How long the parts take to start."""

import asyncio
import os
import signal
import sys
import tempfile
import time
from pathlib import Path

from bench_parts import Servers, Stub, environment, running, settings
from ours import READY

from app.operations.embedded import parts
from app.operations.embedded.data_dir import running_stack
from app.operations.embedded.ports import free_port

SEARCHQA = Path(sys.executable).with_name("searchqa")
START_TIMEOUT_SECONDS = 90


async def api_start(servers: Servers, stub: Stub) -> float:
    """Seconds until /healthz answers."""
    chosen = settings(servers, stub, port=free_port("127.0.0.1"))
    began = time.perf_counter()
    async with running(parts.api(chosen, environment(chosen))):
        return time.perf_counter() - began


async def worker_start(servers: Servers, stub: Stub) -> float:
    """Seconds until it takes tasks."""
    chosen = settings(servers, stub)
    began = time.perf_counter()
    async with running(parts.worker(1, chosen, environment(chosen)), until=READY):
        return time.perf_counter() - began


async def up_starts() -> tuple[float, float]:
    """Seconds until `searchqa up` is ready, in an empty folder and again in the same one."""
    with tempfile.TemporaryDirectory(prefix="searchqa-bench-") as folder:
        return await _up(Path(folder)), await _up(Path(folder))


async def _up(folder: Path) -> float:
    data_dir = folder / "data"
    environment = {name: value for name, value in os.environ.items() if "SEARCHQA_" not in name}
    began = time.perf_counter()
    process = await asyncio.create_subprocess_exec(
        *(SEARCHQA, "up", "--port", "0", "--flower-port", "0"),
        env=environment | {"SEARCHQA_DATA_DIR": str(data_dir)},
        cwd=folder,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        async with asyncio.timeout(START_TIMEOUT_SECONDS):
            while running_stack(data_dir) is None:
                if process.returncode is not None:
                    raise SystemExit(f"`searchqa up` ended with code {process.returncode}.")
                await asyncio.sleep(0.02)
        return time.perf_counter() - began
    finally:
        if process.returncode is None:
            process.send_signal(signal.SIGTERM)
        await process.wait()
