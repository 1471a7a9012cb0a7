"""What `searchqa up` says when it is ready, on a terminal and where it ends in a log."""

import io
import sys
from pathlib import Path

import pytest
from pydantic import SecretStr

from app.cli import token, up
from app.operations.embedded.data_dir import StackInfo
from app.operations.embedded.stack import RunningStack
from app.platform.settings import Settings, get_settings

LINK = "http://127.0.0.1:8765/login?code=sql_once"
INFO = StackInfo(7, "http://127.0.0.1:8765", "http://127.0.0.1:5555", "postgresql:///x", "redis:")


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def shown(out: io.StringIO, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> str:
    async def never() -> None: ...

    settings = Settings(_env_file=None, flower_basic_auth=SecretStr("searchqa:s3cret-of-flower"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(token, "login_link", lambda *_, **__: LINK)
    monkeypatch.setattr(sys, "stdout", out)
    get_settings.cache_clear()
    up.show_ready(RunningStack(INFO, settings, never))
    get_settings.cache_clear()
    return out.getvalue()


def test_a_terminal_is_shown_the_link_and_flowers_password(monkeypatch, tmp_path):
    said = shown(Terminal(), monkeypatch, tmp_path)

    assert LINK in said
    assert "s3cret-of-flower" in said


def test_a_log_gets_neither_and_says_how_to_get_in(monkeypatch, tmp_path):
    said = shown(io.StringIO(), monkeypatch, tmp_path)

    assert "code=" not in said
    assert "s3cret-of-flower" not in said
    assert "searchqa login" in said
    assert "SEARCHQA_FLOWER_BASIC_AUTH" in said
