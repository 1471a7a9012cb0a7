"""Keeps the analysis of sentences that were read lately.

The same notes come back: in the next answer, in the next phase of an evaluation, in each round
of a refinement. Analysing them again is nearly all the time that comparing words takes.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

# Some twenty megabytes at the most usual lengths.
SENTENCES_KEPT = 4_096
MAX_KEPT = 1_000

T = TypeVar("T")


class SentenceCache(Generic[T]):
    """Caches what `analyse` makes of texts, for the `size` most recently used.

    May be used from several threads at once.
    """

    def __init__(
        self, analyse: Callable[[Sequence[str]], Sequence[T]], size: int = SENTENCES_KEPT
    ) -> None:
        self._analyse = analyse
        self._size = size
        self._kept: OrderedDict[str, T] = OrderedDict()
        self._lock = threading.Lock()

    def of_many(self, texts: Sequence[str]) -> list[T]:
        """The analysis of each text."""
        with self._lock:
            known = {text: self._kept[text] for text in texts if text in self._kept}
        missing = [text for text in dict.fromkeys(texts) if text not in known]
        known.update(zip(missing, self._analyse(missing), strict=True))
        self._keep(known)
        return [known[text] for text in texts]

    def _keep(self, known: dict[str, T]) -> None:
        with self._lock:
            for text, analysis in known.items():
                if len(text) <= MAX_KEPT:
                    self._kept[text] = analysis
                    self._kept.move_to_end(text)
            while len(self._kept) > self._size:
                self._kept.popitem(last=False)
