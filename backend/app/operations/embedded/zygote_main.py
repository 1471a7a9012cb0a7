"""`python -m app.operations.embedded.zygote_main MODULE…`: imports the modules and calls what is
given as `module:function`, then forks SearchQA's own processes as it is asked to on its standard
input, a socket.

All of them import much the same 1,500 modules. Imported once, they take a fifth of the CPU of a
start and a third of its memory, and a part that crashed is back at once. A process with threads
must not fork (a lock that another thread holds stays locked in the child): this one has none but
that of OpenBLAS, which ends it before each fork.
"""

import ctypes
import gc
import logging
import os
import runpy
import signal
import sys
import traceback
import warnings
from collections.abc import Iterator
from multiprocessing.connection import Connection, wait
from multiprocessing.reduction import recv_handle
from pathlib import Path
from typing import Any

from app.operations.embedded.zygote_messages import Ended, Ping, Ready, Start, Started
from app.platform.processes.fork_server import warm_up
from app.platform.processes.system import die_with

_HANDLED = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def main() -> None:
    # Those who stop the stack stop its parts one by one.
    for number in _HANDLED:
        signal.signal(number, signal.SIG_IGN)
    control: Connection[Any, Any] = Connection(os.dup(0))
    # What is imported stays: a collection would look at all of it, and write to the pages that
    # the children share.
    gc.disable()
    warm_up(sys.argv[1:])
    gc.freeze()
    control.send(Ready())
    try:
        start = _fork_on_request(control)
    except (EOFError, OSError):
        os._exit(0)  # `searchqa up` has ended, and the kernel ends the children
    gc.enable()
    os._exit(_run(start))


def _run(start: Start) -> int:
    """Its exit code. Its modules are not taken apart at its end, as in children of multiprocessing:
    that would copy every page that it shares."""
    code = 0
    # That a program is imported already is what it is forked for.
    warnings.filterwarnings("ignore", category=RuntimeWarning, module="runpy")
    try:
        runpy.run_module(start.module, run_name="__main__", alter_sys=True)
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
    return code


def _fork_on_request(control: "Connection[Any, Any]") -> Start:
    """Returns in the children only. Raises EOFError when the other end is closed."""
    wake_reader, wake_writer = os.pipe()
    for end in (wake_reader, wake_writer):
        os.set_blocking(end, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wake_writer)
    while True:
        ready = wait([control, wake_reader])
        if wake_reader in ready:
            os.read(wake_reader, 4096)
            for ended in _ended():
                control.send(ended)
        if control in ready:
            if isinstance(message := control.recv(), Ping):
                control.send(message)
                continue
            output, start_handle = recv_handle(control), recv_handle(control)
            zygote = os.getpid()
            if pid := os.fork():
                os.close(output)
                os.close(start_handle)
                control.send(Started(pid))
                continue
            signal.set_wakeup_fd(-1)
            for end in (wake_reader, wake_writer):
                os.close(end)
            control.close()
            with Connection(start_handle) as start_connection:
                start: Start = start_connection.recv()
            _become(start, output, zygote)
            return start


def _ended() -> Iterator[Ended]:
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if not pid:
            return
        yield Ended(pid, os.waitstatus_to_exitcode(status))


def _become(start: Start, output: int, zygote: int) -> None:
    """Makes this fork what a program started by `app.operations.embedded.process.spawn` would
    be."""
    os.setsid()
    die_with(zygote, start.orphan_signal)
    for number in (*_HANDLED, signal.SIGCHLD):
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    nothing = os.open(os.devnull, os.O_RDONLY)
    for given, standard in ((nothing, 0), (output, 1), (output, 2)):
        os.dup2(given, standard)
    os.close(nothing)
    os.close(output)
    os.environ.clear()
    os.environ.update(start.environment)
    if start.cwd is not None:
        os.chdir(start.cwd)
    sys.argv = [start.module, *start.arguments]
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


if __name__ == "__main__":
    main()
