"""One question: its answer as it streams, then its verdict."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from app.cli.client import ApiProblem, Client
from app.cli.sse import Event
from app.errors import SetupError
from app.verdicts.status import FINAL

_ANSWERED = "[DONE]"


@dataclass
class Asked:
    """What came of a question. `evaluation` is as `GET /qa-evaluations/{id}` gives it; None
    when the verdict was not waited for, or when the answer could not be stored."""

    answer: str = ""
    matched_notes: list[dict[str, Any]] = field(default_factory=list)
    evaluation_id: str | None = None
    evaluation: dict[str, Any] | None = None


def ask_question(
    client: Client,
    body: Mapping[str, Any],
    *,
    wait: bool = True,
    on_chunk: Callable[[str], object] = lambda _: None,
    on_answered: Callable[[Asked], object] = lambda _: None,
) -> Asked:
    """Asks, and waits for the verdict if told to.

    on_chunk gets each piece of the answer at once, on_answered is called when it is complete.
    Raises ApiProblem when the answer model failed, SetupError when the answer broke off.
    """
    asked = Asked()
    pieces: list[str] = []
    with client.stream("POST", "/ai/stream", dict(body)) as events:
        for piece in _pieces(events, asked):
            pieces.append(piece)
            on_chunk(piece)
        asked.answer = "".join(pieces)
        on_answered(asked)
        final = _read_verdict(events, asked, wait=wait)
    if asked.evaluation_id and wait:
        if not final:
            _follow(client, asked.evaluation_id)
        asked.evaluation = client.get(f"/qa-evaluations/{asked.evaluation_id}")
    return asked


def _pieces(events: Iterator[Event], asked: Asked) -> Iterator[str]:
    """The text until it is told to be complete."""
    for event in events:
        if event.event == "metadata":
            asked.matched_notes = event.json()["matched_notes"]
        elif event.event == "error":
            problem = event.json()
            raise ApiProblem(problem["status"], problem["detail"])
        elif event.event == "message" and event.data == _ANSWERED:
            return
        elif event.event == "message":
            yield event.json()["chunk"]
    raise SetupError("The answer broke off before its end; ask again.")


def _read_verdict(events: Iterator[Event], asked: Asked, *, wait: bool) -> bool:
    """Reads on after the answer; True once the verdict or a final state was told."""
    for event in events:
        if event.event in {"quality", "qa_evaluation"}:
            return True
        if event.event == "evaluation":
            told = event.json()
            # An answer that could not be stored has no such id.
            asked.evaluation_id = told.get("id")
            if asked.evaluation_id is None or not wait:
                return False
            if told["status"] in FINAL:
                return True
    return False


def _follow(client: Client, evaluation_id: str) -> None:
    for _ in client.follow(f"/qa-evaluations/{evaluation_id}/events", until_final=True):
        continue
