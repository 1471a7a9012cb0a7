"""One question: its answer as it streams, then its verdict."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from app.cli.client import ApiProblem, Client
from app.cli.language import translated
from app.cli.sse import Event
from app.platform.errors import SetupError
from app.verdicts.status import Status, WaitReason

_ANSWERED = "[DONE]"
_WAITING = frozenset({Status.QUEUED, Status.RETRYING})


@dataclass
class Asked:
    """The outcome of a question.

    evaluation: the reply of `GET /qa-evaluations/{id}`; None without waiting for the verdict, or
    when the answer could not be stored. judge_paused: why its judge is paused; the verdict follows
    once the judge is resumed.
    """

    answer: str = ""
    matched_notes: list[dict[str, Any]] = field(default_factory=list)
    evaluation_id: str | None = None
    evaluation: dict[str, Any] | None = None
    judge_paused: str | None = None


def ask_question(
    client: Client,
    body: Mapping[str, Any],
    *,
    wait: bool = True,
    on_chunk: Callable[[str], object] = lambda _: None,
    on_answered: Callable[[Asked], object] = lambda _: None,
) -> Asked:
    """Asks, and waits for the verdict unless `wait` is false.

    on_chunk receives each piece of the answer, on_answered is called when it is complete.
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
        asked.evaluation_id = _evaluation_id(events)
    if asked.evaluation_id and wait:
        path = f"/qa-evaluations/{asked.evaluation_id}"
        asked.judge_paused = _wait(client, path)
        asked.evaluation = client.get(path)
    return asked


def _pieces(events: Iterator[Event], asked: Asked) -> Iterator[str]:
    """The text up to the end marker."""
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
    raise SetupError(
        translated(
            "The answer broke off before its end; ask again.",
            "답변이 끝나기 전에 끊겼습니다. 다시 질문하세요.",
        )
    )


def _evaluation_id(events: Iterator[Event]) -> str | None:
    """The id follows the answer; None for an answer that could not be stored."""
    for event in events:
        if event.event == "evaluation":
            stored: dict[str, Any] = event.json()
            return stored.get("id")
    return None


def _wait(client: Client, path: str) -> str | None:
    """Waits for the final state, except while the daily budget is spent or the judge is paused;
    returns why it is paused. The answer's own stream does not report a pause."""
    for event in client.follow(f"{path}/events", until_final=True):
        if event.event == "evaluation" and event.json()["status"] in _WAITING:
            if event.json().get("reason") == WaitReason.BUDGET_SPENT:
                return None
            judge_model = client.get(path)["judge_model"]
            for pause in client.get("/judges/paused"):
                if pause["judge_model"] == judge_model:
                    return str(pause["reason"])
    return None
