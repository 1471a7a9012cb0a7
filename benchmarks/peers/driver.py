"""What the peers share: runs in a peer's own virtual environment, so it needs the standard
library alone.

A peer scores answers in this process, without queue and without storage. It is driven by lines on
standard input, `ANSWERS IN_FLIGHT`, and tells of each on standard output, as JSON.
"""

import asyncio
import json
import resource
import sys
import time
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import uvloop

# True when the peer has a score.
Score = Callable[[int], Awaitable[bool]]


@dataclass(frozen=True)
class Material:
    """The answer that is judged, and where the judge is."""

    base_url: str
    question: str
    answer: str
    notes: list[str]


def material() -> Material:
    """From the JSON file that the first argument names."""
    return Material(**json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")))


def whether_scored(score: Score) -> Score:
    """A score that failed is none."""

    async def scored(number: int) -> bool:
        try:
            return await score(number)
        except Exception as error:  # noqa: BLE001  each library has its own
            if number % 100 == 0:
                sys.stderr.write(f"{type(error).__name__}: {str(error)[:100]}\n")
            return False

    return scored


async def drive(version: str, score: Score, in_flight: int | None = None) -> None:
    """Scores as requested until standard input ends. in_flight: whatever is requested."""
    print_result({"version": version})
    while line := await asyncio.to_thread(sys.stdin.readline):
        answers, requested = map(int, line.split())
        before, began = time.process_time(), time.perf_counter()
        scored = await _score_all(score, answers, in_flight or requested)
        seconds, cpu = time.perf_counter() - began, time.process_time() - before
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        print_result(
            {"scored": scored, "seconds": seconds, "cpu_seconds": cpu, "memory_mb": most / 1024}
        )


async def _score_all(score: Score, answers: int, in_flight: int) -> int:
    """How many have a score. As many tasks as calls in flight take the next answer each: the
    cheapest way to keep so many going."""
    numbers = count()
    scored = 0

    async def take() -> None:
        nonlocal scored
        while (number := next(numbers)) < answers:
            if await score(number):
                scored += 1

    await asyncio.gather(*(take() for _ in range(in_flight)))
    return scored


def print_result(said: object) -> None:
    sys.stdout.write(json.dumps(said) + "\n")
    sys.stdout.flush()


def run(main: Coroutine[None, None, None]) -> None:
    """On uvloop, with which none of them is slower."""
    uvloop.run(main)
