"""The answers that a command has open to label, the next one fetched before it is asked for."""

import contextlib
import uuid
from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Self

from app.cli.client import Client
from app.cli.language import translated
from app.cli.output import View
from app.platform.errors import SearchQAError

_PATH = "/review/reservations"


class LabelItems:
    """Answers reserved for this command by `POST /review/reservations`, in their order.

    wanted: source, again, author and reasons, as that call takes them.
    labels: the ids of the labels stored so far, by answer; whoever stores one keeps them. Leaving
    the context releases what is open. Methods raise as Client does.
    """

    def __init__(self, client: Client, wanted: View) -> None:
        self._client = client
        self._wanted = {**wanted, "holder": str(uuid.uuid4())}
        self._items: list[View] = []
        self._thread = ThreadPoolExecutor(max_workers=1)
        self._ahead: Future[Mapping[str, Any]] | None = None
        self.labels: dict[str, str] = {}
        self.drawn: int | None = None
        self.remaining = 0
        self._labelled_then = 0
        self._total = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._thread.shutdown()
        # What is not released expires.
        with contextlib.suppress(SearchQAError):
            self._client.delete(f"{_PATH}?holder={self._wanted['holder']}")

    def at(self, index: int) -> View | None:
        """The answer at that place, from 0, and has the one after it fetched; None after the
        last."""
        while index >= len(self._items):
            if not self._take():
                return None
        if index + 1 == len(self._items) and self._ahead is None:
            self._ahead = self._ask()
        return self._items[index]

    def position(self, index: int) -> str:
        """Such as `3 / 70`: of all drawn answers, or of the doubtful ones of this session."""
        number = self._items[index]["number"]
        if number is not None:
            return f"{number} / {self.drawn}"
        return f"{index + 1} / {max(index + 1, self._total)}"

    def _ask(self) -> Future[Mapping[str, Any]]:
        self._labelled_then = len(self.labels)
        held = [item["answer_id"] for item in self._items if item["answer_id"] not in self.labels]
        return self._thread.submit(self._client.post, _PATH, {**self._wanted, "held": held})

    def _take(self) -> bool:
        ahead, self._ahead = self._ahead, None
        # Where there was nothing when it was asked for ahead, there may be something now.
        return bool(ahead and self._add(ahead.result())) or self._add(self._ask().result())

    def _add(self, reply: Mapping[str, Any]) -> bool:
        self._items += reply["items"]
        self.drawn, self.remaining = reply["drawn"], reply["remaining"]
        self._total = self._labelled_then + self.remaining
        return bool(reply["items"])

    def why_no_more(self) -> str:
        """In words, after `at` gave None."""
        return no_more(self.drawn, self.remaining, again=self._wanted["again"])


def no_more(drawn: int | None, remaining: int, *, again: bool) -> str:
    """Why nothing is left to label. drawn: how many answers are drawn, None for doubtful verdicts;
    remaining: what the author could label; again: of what others have labelled."""
    if drawn == 0:
        return translated(
            "Nothing is drawn yet; draw with `searchqa review sample`.",
            "아직 추출한 답변이 없습니다. `searchqa review sample`로 추출하세요.",
        )
    if remaining > 0:
        return translated(
            f"No more answers for now; {remaining} are skipped or open elsewhere.",
            f"지금은 더 없습니다. {remaining}개는 건너뛰었거나 다른 사람이 보고 있습니다.",
        )
    if again:
        return translated(
            "Nothing that others have labelled is left for you.",
            "다른 사람이 라벨을 붙인 답변 중 남은 것이 없습니다.",
        )
    if drawn is None:
        return translated("The review queue is empty.", "검토할 평가가 없습니다.")
    return translated(
        f"All {drawn} drawn answers are labelled.",
        f"추출한 답변 {drawn}개에 모두 라벨이 있습니다.",
    )
