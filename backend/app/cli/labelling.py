"""Answers labelled one by one at a terminal, by single keys, the verdict hidden until then."""

from collections.abc import Callable, Mapping
from functools import partial
from http import HTTPStatus

import click
import typer
from rich.text import Text

from app.cli.client import ApiProblem, Client
from app.cli.explanation import show_explanation
from app.cli.label_items import LabelItems
from app.cli.language import chosen_language, translated, value_title
from app.cli.output import View, console, indented, printable
from app.cli.verdict_view import show_verdict
from app.platform.errors import RequestError, SetupError

_LABELS = {"1": "right", "2": "partly", "3": "wrong"}
_UTILITIES = {"4": "useful", "5": "partly", "6": "useless"}
_QUIT = "q"
_PROMPT = "1 right  2 partly  3 wrong  ·  j next  k back  u undo  ·  ? more keys: "
_PROMPT_KO = "1 맞음  2 일부 맞음  3 틀림  ·  j 다음  k 이전  u 취소  ·  ? 도움말: "
_HELP = """\
1 right  2 partly right  3 wrong
4 useful  5 somewhat useful  6 useless
c comment  u undo the last label
j next  k previous  q quit"""
_HELP_KO = """\
1 맞음  2 일부 맞음  3 틀림
4 유용함  5 일부 유용함  6 유용하지 않음
c 의견 쓰기  u 마지막 라벨 취소
j 다음  k 이전  q 끝내기"""


def label_answers(items: LabelItems, client: Client, author: str | None, *, seen: bool) -> None:
    """Shows one answer at a time and stores what the reader's keys say, until `q`.

    seen: the verdict is shown beside the answer, not after the label.
    """
    session = _LabelSession(items, client, author, seen=seen)
    session.show()
    while True:
        typer.echo(translated(_PROMPT, _PROMPT_KO), nl=False)
        key = click.getchar().lower()
        typer.echo(key if key.isprintable() else "")
        if key == _QUIT:
            break
        session.press(key)
    count = len(items.labels)
    typer.echo(translated(f"{count} labelled.", f"{count}개에 라벨을 붙였습니다."))


class _LabelSession:
    """Where somebody is, and what they have said so far."""

    def __init__(
        self, items: LabelItems, client: Client, author: str | None, *, seen: bool
    ) -> None:
        self._items = items
        self._client = client
        self._author = author
        self._seen = seen
        self._out = console()
        self._index = 0
        self._shown: View | None = None
        # Places by the time of their last label.
        self._labelled: list[int] = []
        self._said: dict[int, dict[str, str]] = {}
        self._actions: Mapping[str, Callable[[], None]] = {
            **{key: partial(self._say, label=label) for key, label in _LABELS.items()},
            **{key: partial(self._say, utility_label=each) for key, each in _UTILITIES.items()},
            "c": self._comment,
            "u": self._undo,
            "j": partial(self._go, 1),
            "k": partial(self._go, -1),
            "?": lambda: typer.echo(translated(_HELP, _HELP_KO)),
        }

    def press(self, key: str) -> None:
        """What the key stands for; a failure is printed, and the key may be pressed again."""
        try:
            self._actions.get(key, lambda: None)()
        except (RequestError, SetupError) as error:
            self._out.print(Text(printable(str(error)), "red"))
            again = translated(
                "Not done; press the key again.", "처리하지 못했습니다. 키를 다시 누르세요."
            )
            self._out.print(again)

    def show(self) -> None:
        """The answer at this place; its verdict where the reader has decided."""
        self._shown = item = self._items.at(self._index)
        if item is None:
            typer.echo(self._items.why_no_more())
            return
        self._out.rule(self._items.position(self._index))
        _show_item(self._out.print, item)
        if self._seen or self._index in self._labelled:
            self._show_verdict(item)

    def _go(self, by: int) -> None:
        # Behind the last there is nothing to go on from, but to look again.
        step = 0 if by > 0 and self._shown is None else by
        before, self._index = self._index, max(0, self._index + step)
        try:
            self.show()
        except (RequestError, SetupError):
            self._index = before
            raise

    def _say(self, **words: str) -> None:
        item = self._shown
        if item is None:
            return
        said = self._said.get(self._index, {}) | words
        first = self._index not in self._labelled
        if "label" in said:
            body = {**said, "author": self._author}
            stored = self._client.post(f"/qa-evaluations/{item['evaluation_id']}/feedback", body)
            self._items.labels[item["answer_id"]] = stored["id"]
        self._said[self._index] = said
        named = [value_title(said[name]) for name in ("label", "utility_label") if name in said]
        typer.echo("✔ " + " · ".join([*named, *([said["comment"]] if "comment" in said else [])]))
        if "label" in words:
            if not first:
                self._labelled.remove(self._index)
            self._labelled.append(self._index)
            if first and not self._seen:
                self._show_verdict(item)

    def _comment(self) -> None:
        if self._shown is None:
            return
        words = typer.prompt(translated("Comment", "의견"), default="", show_default=False).strip()
        if words:
            self._say(comment=words)

    def _undo(self) -> None:
        if not self._labelled:
            typer.echo(translated("There is nothing to undo.", "취소할 라벨이 없습니다."))
            return
        index = self._labelled[-1]
        item = self._items.at(index)
        if item is None:
            return
        label_id = self._items.labels[item["answer_id"]]
        try:
            self._client.delete(f"/qa-evaluations/{item['evaluation_id']}/feedback/{label_id}")
        except ApiProblem as problem:
            if problem.status != HTTPStatus.NOT_FOUND:  # else it is deleted already
                raise
        self._labelled.pop()
        del self._items.labels[item["answer_id"]], self._said[index]["label"]
        self._index = index
        typer.echo(translated("The label is undone.", "라벨을 취소했습니다."))
        self.show()

    def _show_verdict(self, item: View) -> None:
        view = self._client.get(f"/qa-evaluations/{item['evaluation_id']}")
        lang = chosen_language() or view["lang"]
        show_verdict(self._out, view, lang)
        show_explanation(self._out, view, lang)


def _show_item(out: Callable[..., None], item: View) -> None:
    for reason in item["reasons"] or ():
        out(Text(f"? {reason['text']} ({reason['weight']:.2f})", "yellow"))
    out(Text(f"\n{printable(item['question'])}", "bold"))
    out(f"\n{printable(item['answer'])}\n")
    for note in item["notes"]:
        title = f"[{note['note_index']}] {printable(note['title'])}"
        out(indented(Text(title, "underline")))
        out(indented(Text(printable(note["content"]))))
