"""--lang and SEARCHQA_LANG."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import httpx
import pytest
import typer.main
from app.cli.client import Client

import app.cli
from app.cli import COMMANDS, main
from app.cli.language import OPTION, choose_language
from app.cli.words import words_of
from app.platform.errors import SetupError
from app.platform.settings import get_settings

Run = Callable[..., SimpleNamespace]


@pytest.fixture(autouse=True)
def _fresh_settings() -> Iterator[None]:
    get_settings.cache_clear()
    yield
    get_settings.cache_clear()
    choose_language(None)


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """`searchqa judges list` and the like, with a server on which no judge is paused."""

    def run(*arguments: str) -> SimpleNamespace:
        from app.cli import judges

        asked = []

        def handler(request: httpx.Request) -> httpx.Response:
            asked.append(request.headers["accept-language"])
            return httpx.Response(200, json=[])

        def connect(**_: object) -> Client:
            return Client("http://127.0.0.1:1", transport=httpx.MockTransport(handler))

        monkeypatch.setattr(sys.modules["app.cli.judges"], "connect", connect)
        assert judges
        monkeypatch.setattr(sys, "argv", ["searchqa", *arguments])
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = capsys.readouterr()
        return SimpleNamespace(code=ended.value.code, out=out, err=err, asked=asked)

    return run


@pytest.mark.parametrize(
    "arguments", [("--lang", "ko", "judges", "list"), ("judges", "list", "--lang", "ko")]
)
def test_the_option_stands_before_or_after_the_command(run: Run, arguments: list[str]) -> None:
    ended = run(*arguments)

    assert (ended.code, ended.asked) == (0, ["ko", "ko"])
    assert ended.out == "멈춘 평가 모델이 없습니다.\n"


def test_the_variable_counts_where_there_is_no_option(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SEARCHQA_LANG", "ko")

    assert "멈춘" in run("judges", "list").out
    assert run("judges", "list", "--lang", "en").out == "No judge is paused.\n"


def test_one_command_does_not_choose_for_the_next(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SEARCHQA_LANG", "en")
    run("judges", "list", "--lang", "ko")

    assert run("judges", "list").out == "No judge is paused.\n"


def test_another_language_is_refused(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run("judges", "list", "--lang", "fr").code == 2
    monkeypatch.setenv("SEARCHQA_LANG", "fr")
    with pytest.raises(SetupError, match="SEARCHQA_LANG: Input should be 'ko' or 'en'"):
        get_settings()


def test_the_help_is_in_the_language(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SEARCHQA_LANG", "ko")

    assert words_of("commands", "ko")["login"] in run("--help").out


def test_every_command_has_words_in_korean() -> None:
    panels = {panel for panel, _ in COMMANDS.values()}
    assert set(words_of("commands", "ko")) == {*COMMANDS, *panels}


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_takes_the_option(
    run: Run, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    assert app.cli.cli
    assert typer.main.get_command(app.cli.cli)

    assert OPTION in run(name, "--help").out


def test_what_a_command_finds_itself_is_in_the_language_of_messages(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SEARCHQA_URL", "http://127.0.0.1:1")
    (tmp_path / "a.jsonl").write_text("{")
    command = ("notes", "import", str(tmp_path / "a.jsonl"))
    assert run(*command, "--lang", "en").err.startswith("searchqa: Line 1 is not a JSON object")
    ended = run(*command, "--lang", "ko")
    assert ended.err.startswith("searchqa: 1번째 줄: UTF-8로 쓴 JSON 객체가 아닙니다.")
    assert ended.code == 1
