"""The keys by which chunks are found in the index, as queries write them: see
migrations/functions/note_keys.sql."""

import uuid
from dataclasses import dataclass

from app.notes import lexemes

# A term has a key for itself, and one for each of these frequencies that it reaches in a chunk.
FREQUENCIES = (2, 3, 4, 6, 9)
# Each holds a quarter of the one before it; sample 0 is all.
SAMPLES = 9


@dataclass(frozen=True, slots=True)
class Place:
    """The workspace, or one notebook of it, in which keys are looked up."""

    workspace_id: uuid.UUID
    notebook_id: uuid.UUID | None

    def term(self, term: str, frequency: int = 1) -> str:
        """Chunks that hold the term at least so often."""
        return self._key(lexemes.stored(term) + (f" {frequency}" if frequency > 1 else ""))

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
        notebook = f" & {self._key(f' n {self.notebook_id}')}" if self.notebook_id else ""
        samples = (f" & {self.sample(number)}" for number in range(1, SAMPLES))
        return [notebook, *(notebook + sample for sample in samples)]

    def _key(self, key: str) -> str:
        return lexemes.escaped(str(self.workspace_id)[-8:] + key)
