"""Labelling one answer after another at a terminal, by single keys."""

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import httpx
import pytest

from app.cli import labelling
from app.cli.client import Client
from app.cli.label_items import LabelItems
from app.cli.labelling import label_answers
from app.cli.language import choose_language

COUNT = 3


def item(number: int) -> dict[str, Any]:
    return {
        "evaluation_id": f"e{number}",
        "answer_id": f"a{number}",
        "number": number,
        "question": f"변성 온도는 {number}?",
        "answer": "95도입니다.\x1b]0;owned\x07",
        "lang": "ko",
        "sentences": [],
        "notes": [{"note_index": 1, "note_id": None, "title": "PCR", "content": "변성은 95도"}],
        "reasons": None,
    }


class Server:
    """Gives COUNT answers and keeps the labels, as the API does. fail: the next calls with this
    method are refused."""

    def __init__(self) -> None:
        self.labels: dict[str, dict[str, Any]] = {}
        self.asked: list[dict[str, Any]] = []
        self.released: list[str] = []
        self.read: list[str] = []
        self.fail: str | None = None

    def __call__(self, request: httpx.Request) -> httpx.Response:
        path = request.url.path
        if request.method == self.fail:
            self.fail = None
            return httpx.Response(503, json={"detail": "The database is away.", "status": 503})
        if path == "/review/reservations":
            return self._reservations(request)
        evaluation_id = path.split("/")[2]
        if request.method == "POST":
            self.labels[evaluation_id] = json.loads(request.content)
            return httpx.Response(200, json={"id": f"f-{evaluation_id}"})
        if request.method == "DELETE":
            known = self.labels.pop(evaluation_id, None)
            return httpx.Response(204 if known else 404, json={"detail": "gone"})
        self.read.append(evaluation_id)
        return httpx.Response(200, json={"id": evaluation_id, "lang": "ko"})

    def _reservations(self, request: httpx.Request) -> httpx.Response:
        if request.method == "DELETE":
            self.released.append(request.url.params["holder"])
            return httpx.Response(204)
        body = json.loads(request.content)
        self.asked.append(body)
        left = [n for n in range(1, COUNT + 1) if f"e{n}" not in self.labels]
        free = [n for n in left if f"a{n}" not in body["held"]][:1]
        reply = {"items": [item(n) for n in free], "remaining": len(left), "drawn": COUNT}
        return httpx.Response(200, json={"author": "mina", **reply})


@pytest.fixture
def server() -> Server:
    return Server()


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    choose_language("en")
    yield
    choose_language(None)


Press = Callable[..., str]


@pytest.fixture
def press(
    server: Server, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Press:
    """Types these keys and returns what was printed; a verdict is printed as VERDICT and its
    id."""

    def verdict(_: object, view: dict[str, str], lang: str) -> None:
        print(f"VERDICT {view['id']}")  # noqa: T201  as the command prints

    monkeypatch.setattr(labelling, "show_verdict", verdict)
    monkeypatch.setattr(labelling, "show_explanation", lambda *_: None)

    def press(keys: Sequence[str], *, seen: bool = False) -> str:
        typed = iter([*keys, "q"])
        monkeypatch.setattr("click.getchar", lambda: next(typed))
        client = Client("http://127.0.0.1:1", transport=httpx.MockTransport(server))
        wanted = {"source": "drawn", "again": False, "author": "mina", "reasons": seen}
        with client, LabelItems(client, wanted) as items:
            label_answers(items, client, "mina", seen=seen)
        return capsys.readouterr().out

    return press


def labels(server: Server) -> dict[str, str]:
    return {id_: body["label"] for id_, body in server.labels.items()}


def test_a_key_labels_the_answer_that_is_shown(server: Server, press: Press) -> None:
    out = press("1j2j3")
    assert labels(server) == {"e1": "right", "e2": "partly", "e3": "wrong"}
    assert [body["author"] for body in server.labels.values()] == ["mina"] * 3
    for told in ("1 / 3", "2 / 3", "3 / 3", "3 labelled."):
        assert told in out


def test_all_that_a_label_needs_is_shown_and_no_control_sequence(press: Press) -> None:
    out = press("")
    for told in ("변성 온도는 1?", "95도입니다.", "[1] PCR", "변성은 95도", "0 labelled."):
        assert told in out
    assert "\x1b" not in out


def test_the_verdict_is_neither_read_nor_shown_before_the_label(
    server: Server, press: Press
) -> None:
    assert "VERDICT" not in press("jk")
    assert server.read == []
    assert press("1").count("VERDICT e1") == 1


def test_the_verdict_is_shown_at_once_where_that_is_wanted(server: Server, press: Press) -> None:
    assert "VERDICT e1" in press("", seen=True)
    assert server.asked[0]["reasons"] is True


def test_the_next_answer_is_there_before_it_is_asked_for(server: Server, press: Press) -> None:
    press("")
    assert [body["held"] for body in server.asked] == [[], ["a1"]]


def test_one_goes_back_and_labels_anew(server: Server, press: Press) -> None:
    out = press("1jkk3")
    assert labels(server) == {"e1": "wrong"}
    assert out.count("VERDICT e1") == 3, "after the label, and whenever it is shown again"


def test_undo_deletes_the_last_label_and_goes_back_to_it(server: Server, press: Press) -> None:
    out = press("1j2juu")
    assert labels(server) == {}
    assert out.count("The label is undone.") == 2
    assert out.rindex("1 / 3") > out.rindex("2 / 3")


def test_undo_deletes_the_label_given_last_where_it_is_not_the_first(
    server: Server, press: Press
) -> None:
    press("1j2k3u")
    assert labels(server) == {"e2": "partly"}


def test_undo_works_after_the_last_answer(server: Server, press: Press) -> None:
    out = press("1j2j3ju")
    assert "All 3 drawn answers are labelled." in out
    assert labels(server) == {"e1": "right", "e2": "partly"}


def test_undo_of_nothing_says_so(press: Press) -> None:
    assert "nothing to undo" in press("u")


def test_undo_of_what_somebody_deleted_goes_on(server: Server, press: Press) -> None:
    press("1")
    server.labels.clear()
    assert "The label is undone." in press("1ju")


def test_utility_and_comment_are_kept_with_the_label(
    server: Server, press: Press, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("typer.prompt", lambda *_, **__: " 72도는 없음 ")
    press("6c3")
    assert server.labels == {
        "e1": {
            "label": "wrong",
            "utility_label": "useless",
            "comment": "72도는 없음",
            "author": "mina",
        }
    }


def test_what_fails_is_said_and_the_key_works_again(server: Server, press: Press) -> None:
    server.fail = "DELETE"
    out = press("1uu")
    assert "The database is away." in out
    assert "press the key again" in out
    assert labels(server) == {}


def test_a_skipped_answer_is_not_labelled_and_counts_as_left(server: Server, press: Press) -> None:
    out = press("j1j1j1")
    assert labels(server) == {"e2": "right", "e3": "right"}
    assert "1 are skipped or open elsewhere" in out


def test_keys_behind_the_last_answer_label_nothing(server: Server, press: Press) -> None:
    press("jjj123456c")
    assert server.labels == {}


def test_all_keys_are_explained(press: Press) -> None:
    assert "4 useful" in press("?")


def test_what_is_open_is_released_at_the_end(server: Server, press: Press) -> None:
    press("1")
    assert server.released == [server.asked[0]["holder"]]
