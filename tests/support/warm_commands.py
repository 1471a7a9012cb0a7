"""`searchqa …` in a process that is forked from one which has imported all commands: what a command
does takes a tenth of the time that Python and its imports take."""

import multiprocessing
import os
import sys
from collections.abc import Mapping
from pathlib import Path

from app.cli import COMMANDS, main

_FORKING = multiprocessing.get_context("forkserver")
_FORKING.set_forkserver_preload([f"app.cli.{name.replace('-', '_')}" for name in COMMANDS])


def run(
    arguments: tuple[str, ...],
    environment: Mapping[str, str],
    folder: Path,
    out: str,
    err: str,
    *,
    within: float,
) -> int:
    """Its exit code; the files hold what it said. Raises TimeoutError after `within` seconds."""
    given = arguments, dict(environment), folder, out, err
    process = _FORKING.Process(target=_command, args=given, daemon=True)
    process.start()
    process.join(within)
    if process.exitcode is None:
        process.kill()
        raise TimeoutError(f"searchqa {' '.join(arguments)}: not within {within:g} s")
    return process.exitcode


def _command(
    arguments: tuple[str, ...], environment: dict[str, str], folder: Path, out: str, err: str
) -> None:
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    for number, file in enumerate((os.devnull, out, err)):
        os.dup2(os.open(file, os.O_RDWR), number)
    sys.argv = ["searchqa", *arguments]
    main()
