"""How much of an answer from elsewhere is accepted, in characters, whichever way it comes."""

from app.judges.answer_parts import MAX_ANSWER_CHARS

MAX_QUESTION_CHARS = 4_000
MAX_NOTES = 200
MAX_TITLE_CHARS = 500
MAX_NOTE_CHARS = 50_000
# Of all notes of one answer together.
MAX_CONTEXT_CHARS = 200_000

__all__ = [
    "MAX_ANSWER_CHARS",
    "MAX_CONTEXT_CHARS",
    "MAX_NOTES",
    "MAX_NOTE_CHARS",
    "MAX_QUESTION_CHARS",
    "MAX_TITLE_CHARS",
]
