"""Keys of chunks in the search index, and terms in the syntax of tsvector and tsquery."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from app.platform.db.statements import storable

# PostgreSQL's own limits: a lexeme has at most 2,046 bytes, a position is at most 16,383.
_MAX_TERM_CHARS = 255
_MAX_POSITION = 16_383


def quoted(term: str) -> str:
    """The term as a tsvector or a tsquery writes it."""
    return escaped(stored(term))


def escaped(lexeme: str) -> str:
    """Any lexeme as they write it."""
    doubled = lexeme.replace("\\", "\\\\").replace("'", "''")
    return f"'{doubled}'"


def stored(term: str) -> str:
    """The term as it is stored: at most 255 characters."""
    return storable(term)[:_MAX_TERM_CHARS]


def tsvector(terms: Sequence[str]) -> str:
    """Each term with its positions; the number of positions is its frequency."""
    positions: dict[str, list[int]] = {}
    for position, term in enumerate(terms[:_MAX_POSITION], start=1):
        if stored(term):
            positions.setdefault(quoted(term), []).append(position)
    return " ".join(f"{term}:{','.join(map(str, at))}" for term, at in positions.items())


# A term has a key for itself, and one for each of these frequencies that it reaches in a chunk.
FREQUENCIES = (2, 3, 4, 6, 9)
# Each holds a quarter of the one before it; sample 0 is all.
SAMPLES = 9
# A term has a key in each sample from this on. In sample 1 that would be a quarter more keys.
_FIRST_KEYED = 2


@dataclass(frozen=True, slots=True)
class Place:
    """The workspace, or one notebook of it, in which keys are looked up."""

    workspace_id: uuid.UUID
    notebook_id: uuid.UUID | None = None

    def term(self, term: str, frequency: int = 1) -> str:
        """Chunks that hold the term at least so often."""
        return self._key(stored(term) + (f" {frequency}" if frequency > 1 else ""))

    def beginning(self, letters: str) -> str:
        """Chunks that hold a term that begins with the letters."""
        return f"{self.term(letters)}:*"

    def sample(self, number: int) -> str:
        """Chunks of the sample, from 1."""
        return self._key(f" s {number}")

    def within(self, query: str, sample: int = 0) -> str:
        """What matches the query, of the notebook and of the sample."""
        return f"({query}){self.limits[sample]}"

    @property
    def limits(self) -> list[str]:
        """What confines a query to the notebook and to sample 0, 1 …"""
        samples = (f" & {self.sample(number)}" for number in range(1, SAMPLES))
        return [self._notebook, *(self._notebook + sample for sample in samples)]

    @property
    def term_limits(self) -> list[str]:
        """The same for the key of a term without its last quote: from sample 2 on it has a key
        there."""
        keyed = (f" s{number}'{self._notebook}" for number in range(_FIRST_KEYED, SAMPLES))
        return [*(f"'{limit}" for limit in self.limits[:_FIRST_KEYED]), *keyed]

    @property
    def _notebook(self) -> str:
        return f" & {self._key(f' n {self.notebook_id}')}" if self.notebook_id else ""

    def _key(self, key: str) -> str:
        return escaped(str(self.workspace_id)[-8:] + key)
