"""How long an answer took, in the `Server-Timing` header of the W3C and in streams."""

from collections.abc import Mapping
from time import perf_counter
from typing import Annotated

from fastapi import Depends

from app.answering.chat.timings import Timings

HEADER = "Server-Timing"


async def started() -> float:
    """When the request's body was there, of `perf_counter`: the first dependency of its router."""
    return perf_counter()


Started = Annotated[float, Depends(started)]


def timing_ms(timings: Timings, started: float) -> dict[str, float]:
    """Milliseconds of each part, and of the whole until now as `total`."""
    parts = timings.milliseconds | {"total": (perf_counter() - started) * 1000}
    return {name: round(milliseconds, 1) for name, milliseconds in parts.items()}


def server_timing(milliseconds: Mapping[str, float]) -> str:
    """The header's value. Pages of other origins may read it as `app.api.cors` says."""
    return ", ".join(f"{name};dur={value:.1f}" for name, value in milliseconds.items())
