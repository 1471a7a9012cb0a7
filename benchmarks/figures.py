"""What is measured of whoever judges, ours and peers alike."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from statistics import median, quantiles
from typing import Any, Self


@dataclass(frozen=True)
class Figures:
    """One run. cpu_ms: milliseconds of CPU an answer, of it cpu_of_parts, without judge_cpu_ms of
    the stub judge; memory_mb at the end."""

    answers_per_second: float
    cpu_ms: float
    most_in_flight: float
    memory_mb: float
    cpu_of_parts: Mapping[str, float] = field(default_factory=dict)
    memory_of_parts: Mapping[str, float] = field(default_factory=dict)
    judge_cpu_ms: float = 0

    def json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True)
class Spread:
    """The median of some rounds, and their least and greatest value."""

    median: float
    least: float
    most: float

    @classmethod
    def from_values(cls, values: Sequence[float]) -> Self:
        return cls(median(values), min(values), max(values))

    def text(self, digits: int = 0) -> str:
        if self.least == self.most:
            return f"{self.median:.{digits}f}"
        return f"{self.median:.{digits}f} ({self.least:.{digits}f}–{self.most:.{digits}f})"


@dataclass(frozen=True)
class Latency:
    """Milliseconds, of so many samples."""

    p50: float
    p99: float
    samples: int

    @classmethod
    def from_seconds(cls, seconds: Sequence[float]) -> Self:
        percentiles = quantiles(seconds, n=100, method="inclusive")
        return cls(percentiles[49] * 1000, percentiles[98] * 1000, len(seconds))
