"""--lang and SEARCHQA_LANG."""

import string
import subprocess
import sys
from collections.abc import Callable, Iterator
from gettext import GNUTranslations
from pathlib import Path
from types import SimpleNamespace

import httpx
import pytest
import typer.main

import app.cli
from app.cli import COMMANDS
from app.cli.language import CATALOG, OPTION, choose_language, in_help_language
from app.platform.errors import SetupError
from app.platform.settings import get_settings
from scripted_http import connect_to

Run = Callable[..., SimpleNamespace]


@pytest.fixture(autouse=True)
def _fresh_settings() -> Iterator[None]:
    get_settings.cache_clear()
    yield
    get_settings.cache_clear()
    choose_language(None)


@pytest.fixture
def run(run_cli: Run, monkeypatch: pytest.MonkeyPatch) -> Run:
    """`searchqa notes embed` and the like, with a server that has no embedding model."""

    def run(*arguments: str) -> SimpleNamespace:
        from app.cli import notes

        asked = []

        def handler(request: httpx.Request) -> httpx.Response:
            asked.append(request.headers["accept-language"])
            return httpx.Response(200, json={"model": None, "chunks": 7})

        monkeypatch.setattr(sys.modules["app.cli.notes"], "connect", connect_to(handler))
        assert notes
        ended = run_cli(*arguments)
        ended.asked = asked
        return ended

    return run


@pytest.mark.parametrize(
    "arguments", [("--lang", "ko", "notes", "embed"), ("notes", "embed", "--lang", "ko")]
)
def test_the_option_stands_before_or_after_the_command(run, arguments):
    ended = run(*arguments)

    assert (ended.code, ended.asked) == (0, ["ko"])
    assert ended.out.startswith("임베딩 모델이 없어 문단 7개를")


def test_the_variable_counts_where_there_is_no_option(run, monkeypatch):
    monkeypatch.setenv("SEARCHQA_LANG", "ko")

    assert "임베딩 모델이 없어" in run("notes", "embed").out
    assert run("notes", "embed", "--lang", "en").out.startswith("No embedding model: 7 passages")


def test_one_command_does_not_choose_for_the_next(run, monkeypatch):
    monkeypatch.setenv("SEARCHQA_LANG", "en")
    run("notes", "embed", "--lang", "ko")

    assert run("notes", "embed").out.startswith("No embedding model")


def test_another_language_is_refused(run, monkeypatch):
    assert run("notes", "embed", "--lang", "fr").code == 2
    monkeypatch.setenv("SEARCHQA_LANG", "fr")
    with pytest.raises(SetupError, match="SEARCHQA_LANG: Input should be 'ko' or 'en'"):
        get_settings()


def test_the_help_is_in_the_language(run, monkeypatch):
    monkeypatch.setenv("SEARCHQA_LANG", "ko")

    shown = run("--help").out
    assert "브라우저용 일회용 로그인 링크를 출력합니다." in shown
    assert "운영" in shown


def test_every_command_has_words_in_korean():
    choose_language("ko")
    texts = {text for panel, summary, _ in COMMANDS.values() for text in (panel, summary)}
    assert {text for text in texts if in_help_language(text) == text} == set()


def test_the_catalog_fits_the_code_and_lacks_nothing():
    checked = Path(__file__).parents[3] / ".ci" / "cli_catalog.py"
    ended = subprocess.run([sys.executable, checked, "--check"], capture_output=True, text=True)
    assert (ended.returncode, ended.stderr) == (0, "")


def test_both_languages_fill_in_the_same_values():
    with CATALOG.open("rb") as file:
        korean = GNUTranslations(file)._catalog
    fields = string.Formatter()
    for english, text in korean.items():
        if english:
            needed = {name for _, name, _, _ in fields.parse(text) if name}
            assert needed <= {name for _, name, _, _ in fields.parse(english) if name}, english


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_takes_the_option(run, monkeypatch, name):
    monkeypatch.setenv("COLUMNS", "200")
    assert app.cli.cli
    assert typer.main.get_command(app.cli.cli)

    assert OPTION in run(name, "--help").out


def test_what_a_command_finds_itself_is_in_the_language_of_messages(run, tmp_path, monkeypatch):
    monkeypatch.setenv("SEARCHQA_URL", "http://127.0.0.1:1")
    (tmp_path / "a.jsonl").write_text("{")
    command = ("notes", "import", str(tmp_path / "a.jsonl"))
    assert run(*command, "--lang", "en").err.startswith("searchqa: Line 1 is not a JSON object")
    ended = run(*command, "--lang", "ko")
    assert ended.err.startswith("searchqa: 1번째 줄: UTF-8로 쓴 JSON 객체가 아닙니다.")
    assert ended.code == 1
