"""Lines into batches that a provider takes."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from app.ai_router.batches.protocol import BatchEndpoint, BatchLine


@dataclass(slots=True)
class Split:
    """parts: the lines in their order, each part within the limits; too_large: lines that no batch
    takes, to be asked by calls."""

    parts: list[list[BatchLine]] = field(default_factory=list)
    too_large: list[BatchLine] = field(default_factory=list)


def split(endpoint: BatchEndpoint, lines: Iterable[BatchLine]) -> Split:
    """As few batches as the order of the lines allows."""
    found = Split()
    room = 0
    for line in lines:
        size = endpoint.size(line)
        if size > endpoint.limits.size:
            found.too_large.append(line)
            continue
        if size > room or len(found.parts[-1]) == endpoint.limits.lines:
            found.parts.append([])
            room = endpoint.limits.size
        found.parts[-1].append(line)
        room -= size
    return found
