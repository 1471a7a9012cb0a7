"""How long the parts of an answer took."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import perf_counter


@dataclass(frozen=True, slots=True)
class Timings:
    """`milliseconds` by part, in the order in which they ended: `search` the notes, `first_chunk`
    of a stream and the whole of it or of the answer, `generate`, both from the call to the model,
    and `store`. A part that has not ended is not there."""

    milliseconds: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def measure(self, part: str) -> Iterator[None]:
        """The part is what is done inside, also where that fails."""
        start = perf_counter()
        try:
            yield
        finally:
            self.ended(part, start)

    def ended(self, part: str, start: float) -> None:
        """start: of `perf_counter`."""
        self.milliseconds[part] = (perf_counter() - start) * 1000
