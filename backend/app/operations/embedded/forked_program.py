"""What a fork of the zygote becomes: a program, as `python -m` would start it."""

import ctypes
import logging
import os
import runpy
import signal
import sys
import traceback
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.reduction import recv_handle
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class ForkedProgram:
    """The program `python -m module arguments…`; the file descriptor of its output follows. The
    fork itself receives it: its environment may hold keys, which no other fork inherits."""

    module: str
    arguments: Sequence[str]
    environment: Mapping[str, str]
    cwd: str | None


def run(connection: "Connection[Any, Any]") -> None:
    """Its modules are not taken apart at its end, as in children of multiprocessing: that would
    copy every page that it shares. Raises SystemExit."""
    with connection:
        program: ForkedProgram = connection.recv()
        output = recv_handle(connection)
    _become(program, output)
    code = 0
    # That a program is imported already is what it is forked for.
    warnings.filterwarnings("ignore", category=RuntimeWarning, module="runpy")
    try:
        runpy.run_module(program.module, run_name="__main__", alter_sys=True)
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
        if isinstance(ended.code, str):
            sys.stderr.write(f"{ended.code}\n")
    except BaseException:  # noqa: BLE001  as the interpreter: reported, and the end of the process
        code = 1
        traceback.print_exc()
    finally:
        logging.shutdown()
        sys.stdout.flush()
        sys.stderr.flush()
    sys.exit(code)


def _become(program: ForkedProgram, output: int) -> None:
    """Makes this fork what a program started by `app.operations.embedded.process.spawn` would
    be."""
    os.setsid()
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for standard in (1, 2):
        os.dup2(output, standard)
    os.close(output)
    os.environ.clear()
    os.environ.update(program.environment)
    if program.cwd is not None:
        os.chdir(program.cwd)
    sys.argv = [program.module, *program.arguments]
    _show_command([sys.executable, "-m", *sys.argv])


def _show_command(command: list[str]) -> None:
    """Sets the command that `ps` shows: writes it into the memory in which the kernel put arguments
    and environment (man 5 proc, arg_start to env_end), as PostgreSQL and setproctitle do. Python
    holds a copy of its arguments, and `os.environ` was set anew."""
    fields = Path("/proc/self/stat").read_text().rpartition(")")[2].split()
    start, arguments_end, _, end = (int(field) for field in fields[45:49])
    if not start:  # not every kernel says it: gVisor's does not
        return
    shown = " ".join(command).encode()[: end - start - 1]
    # Behind a last byte that is not zero the kernel reads on, to the next zero.
    shown = shown.ljust(arguments_end - start)
    ctypes.memset(start, 0, end - start)
    ctypes.memmove(start, shown, len(shown))
