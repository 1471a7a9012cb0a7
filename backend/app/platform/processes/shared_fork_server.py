"""`python -m app.platform.processes.shared_fork_server SOCKET MODULE:FUNCTION…`: the Korean model,
once for all processes of a stack.

For each process that connects it forks a fork server (`app.platform.processes.fork_server`), which
shares what this one has loaded by copy-on-write and is, but for that, as one that the process had
started itself. The functions are called when the first of them connects.
"""

import gc
import os
import signal
import socket
import sys
from multiprocessing.connection import Connection
from pathlib import Path

from app.platform.processes.fork_server import obey, warm_up
from app.platform.processes.linux import die_with, reachable


def main() -> None:
    path, *warm = sys.argv[1:]
    making = Path(f"{path}.new")
    making.unlink(missing_ok=True)
    os.umask(0o077)  # what comes over the socket is unpickled
    listener = socket.socket(socket.AF_UNIX)
    with reachable(making) as name:
        listener.bind(name)
    listener.listen()
    making.rename(path)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the kernel reaps the fork servers
    while True:
        client, _ = listener.accept()
        warm_up(warm)
        warm = []
        gc.collect()
        gc.freeze()
        parent = os.getpid()
        if os.fork():
            client.close()
            continue
        listener.close()
        die_with(parent)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        control = Connection(client.detach())
        control.send(os.getpid())
        obey(control)
        os._exit(0)


if __name__ == "__main__":
    main()
