"""Earlier turns of a dialogue, within what is kept of them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Self

from app.text.redaction import Redactor

# Of the turns before a question, the last ones; and characters of their texts together.
MAX_TURNS = 10
MAX_HISTORY_CHARS = 6_000
# Of one question or answer.
MAX_TURN_CHARS = 1_000


@dataclass(frozen=True, slots=True)
class Turn:
    """A question that was asked earlier in the dialogue, and what it was answered. What a question
    asked helps to understand the next one; what an answer said is no evidence."""

    question: str
    answer: str

    @classmethod
    def from_json(cls, value: Mapping[str, str]) -> Self:
        return cls(value["question"], value["answer"])

    def redacted(self, redactor: Redactor) -> Self:
        return replace(
            self, question=redactor.redact(self.question), answer=redactor.redact(self.answer)
        )


def _cut(text: str) -> str:
    """Without what PostgreSQL cannot store: NUL, and halves of surrogate pairs."""
    cut = text[:MAX_TURN_CHARS].replace("\x00", "")
    return cut.encode("utf-8", "replace").decode().strip()


def recent_turns(turns: Sequence[Turn]) -> tuple[Turn, ...]:
    """The last MAX_TURNS that have a text, the oldest first, each text cut to MAX_TURN_CHARS, as
    many as fit into MAX_HISTORY_CHARS; older ones are not read."""
    kept: list[Turn] = []
    room = MAX_HISTORY_CHARS
    for given in reversed(turns):
        turn = Turn(_cut(given.question), _cut(given.answer))
        size = len(turn.question) + len(turn.answer)
        if not size:
            continue
        room -= size
        if room < 0:
            break
        kept.append(turn)
        if len(kept) == MAX_TURNS:
            break
    return tuple(reversed(kept))


def paired(said: Iterable[tuple[bool, str]]) -> tuple[Turn, ...]:
    """Turns of the messages of a chat, the oldest first: (whether a user said it, text). What a
    side says in several messages is one text."""
    turns: list[Turn] = []
    for asks, text in said:
        last = turns[-1] if turns else Turn("", "")
        if asks and (last.answer or not turns):
            turns.append(Turn(text, ""))
        elif asks:
            turns[-1] = Turn(_joined(last.question, text), "")
        elif turns:
            turns[-1] = Turn(last.question, _joined(last.answer, text))
        else:
            turns.append(Turn("", text))
    return recent_turns(turns)


def _joined(before: str, text: str) -> str:
    return f"{before}\n{text[:MAX_TURN_CHARS]}"[:MAX_TURN_CHARS].strip()
