"""The data folder is held by one stack at a time, which says there where it is."""

import os
import stat
import subprocess
import sys

import pytest

from app.operations.embedded.data_dir import (
    StackInfo,
    announce,
    announce_broker,
    hold,
    running_stack,
)
from app.platform.errors import SetupError

INFO = StackInfo(1, "http://127.0.0.1:1", None, "postgresql:///searchqa", "redis://127.0.0.1:2/0")


def test_a_second_holder_is_refused_with_the_pid_of_the_first(tmp_path):
    with hold(tmp_path), pytest.raises(SetupError, match=rf"pid {os.getpid()}\)"), hold(tmp_path):
        pytest.fail("held twice")


def test_a_holder_that_was_killed_holds_no_longer(tmp_path):
    program = (
        "import os, sys; from pathlib import Path; from app.operations.embedded.data_dir import *\n"
        f"with hold(Path({str(tmp_path)!r})):\n"
        f"    announce(Path({str(tmp_path)!r}), StackInfo(1, '', None, '', ''))\n"
        "    os.kill(os.getpid(), 9)"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == -9
    assert (tmp_path / "stack.json").exists()
    assert running_stack(tmp_path) is None
    with hold(tmp_path):
        assert not (tmp_path / "stack.json").exists()


def test_a_running_stack_is_found_until_it_stops(tmp_path):
    assert running_stack(tmp_path) is None
    with hold(tmp_path):
        assert running_stack(tmp_path) is None
        announce(tmp_path, INFO)
        assert running_stack(tmp_path) == INFO
        assert stat.S_IMODE((tmp_path / "stack.json").stat().st_mode) == 0o600
    assert running_stack(tmp_path) is None


def test_the_address_of_the_messages_is_private_and_gone_with_the_stack(tmp_path):
    file = tmp_path / "redis.url"
    with hold(tmp_path):
        announce_broker(tmp_path, "redis://:secret@127.0.0.1:2/0")
        assert file.read_text() == "redis://:secret@127.0.0.1:2/0"
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert not file.exists()


def test_a_folder_that_cannot_be_made_is_a_setup_error(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(SetupError, match="--data-dir"), hold(tmp_path / "file"):
        pytest.fail("held a file")
