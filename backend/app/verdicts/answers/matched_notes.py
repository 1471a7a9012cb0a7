"""What the reader of an answer sees of the notes that it was given."""

import uuid

from pydantic import BaseModel


class MatchedNote(BaseModel):
    """`note_index` 1 is `[노트 1]` in the answer."""

    note_index: int
    note_id: uuid.UUID | None
    title: str
    score: float | None
