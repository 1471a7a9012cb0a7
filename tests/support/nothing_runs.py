"""A guard that fails a test in which a text is run."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

RUNNING = ("compile", "ctypes", "exec", "import", "open", "os", "pickle", "socket", "subprocess")
_audited: list[str] | None = None


def _audit(event: str, _: tuple[Any, ...]) -> None:
    if _audited is not None and event.partition(".")[0] in RUNNING:
        _audited.append(event)


sys.addaudithook(_audit)


@contextmanager
def nothing_runs() -> Iterator[None]:
    """Fails when the interpreter compiles, runs, loads, opens or connects to anything."""
    # An audit hook cannot be taken away, only be told to rest.
    global _audited
    _audited = []
    try:
        yield
        assert _audited == []
    finally:
        _audited = None
