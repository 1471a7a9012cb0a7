"""Unix sockets by a path of any length. Only Linux has what this takes."""

import contextlib
import os
import socket
from collections.abc import Iterator
from pathlib import Path


def connect(path: Path) -> socket.socket:
    """Raises OSError where none listens."""
    client = socket.socket(socket.AF_UNIX)
    try:
        with reachable(path) as name:
            client.connect(name)
    except BaseException:
        client.close()
        raise
    return client


@contextlib.contextmanager
def reachable(path: Path) -> Iterator[str]:
    """A name of the socket that is short enough: the path of one has 107 bytes at most."""
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield f"/proc/self/fd/{folder}/{path.name}"
    finally:
        os.close(folder)
