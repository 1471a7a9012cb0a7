"""Keeps the content morphemes of sentences that were analysed lately.

The same notes come back: in the next answer, in the next phase of an evaluation, in each round
of a refinement. Analysing them again is nearly all the time that comparing words takes.
"""

import threading
from collections import OrderedDict
from collections.abc import Sequence

from app.text.morphemes import morphemes_of_many

# Some ten megabytes at the most usual lengths.
SENTENCES_KEPT = 8_192
MAX_KEPT = 1_000


class TermCache:
    """The distinct content morphemes of texts, the `size` texts asked for last being kept.

    May be used from several threads at once.
    """

    def __init__(self, size: int = SENTENCES_KEPT) -> None:
        self._size = size
        self._kept: OrderedDict[str, frozenset[str]] = OrderedDict()
        self._lock = threading.Lock()

    def of_many(self, texts: Sequence[str]) -> list[frozenset[str]]:
        """The set of `morphemes` of each text."""
        with self._lock:
            known = {text: self._kept[text] for text in texts if text in self._kept}
        missing = [text for text in dict.fromkeys(texts) if text not in known]
        known.update(zip(missing, map(frozenset, morphemes_of_many(missing)), strict=True))
        self._keep(known)
        return [known[text] for text in texts]

    def _keep(self, known: dict[str, frozenset[str]]) -> None:
        with self._lock:
            for text, terms in known.items():
                if len(text) <= MAX_KEPT:
                    self._kept[text] = terms
                    self._kept.move_to_end(text)
            while len(self._kept) > self._size:
                self._kept.popitem(last=False)
