"""The data folder: its lock, and the state file of a running stack."""

import contextlib
import fcntl
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

from app.platform.errors import SetupError

_LOCK = "lock"
_RUNTIME = "stack.json"
_TARGETS = "metrics.json"
_REDIS_URL = "redis.url"


@dataclass(frozen=True)
class StackInfo:
    """Addresses of a running stack. They carry no passwords. down: parts that crashed
    again and again and are left down for now, with the reasons."""

    pid: int
    api_url: str
    flower_url: str | None
    database_url: str
    redis_url: str
    down: Mapping[str, str] = field(default_factory=dict)


@contextlib.contextmanager
def hold(data_dir: Path) -> Iterator[None]:
    """Makes the folder and holds it alone until the block ends or this process does. Raises
    SetupError with the pid of its holder."""
    try:
        data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = (data_dir / _LOCK).open("a+")
    except OSError as error:
        raise SetupError(
            f"The data folder {data_dir} cannot be used ({error.strerror}); choose another with"
            " --data-dir."
        ) from error
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.seek(0)
            holder = lock.read().strip() or "unknown"
            raise SetupError(
                f"{data_dir} is in use by another `searchqa up` (pid {holder}): stop that one"
                " first, or choose another folder with --data-dir."
            ) from None
        lock.truncate(0)
        lock.write(f"{os.getpid()}\n")
        lock.flush()
        _delete_announcements(data_dir)
        try:
            yield
        finally:
            _delete_announcements(data_dir)


def announce(data_dir: Path, info: StackInfo) -> None:
    """Says where the stack is, readable by this account only, whole or not at all."""
    _write(data_dir / _RUNTIME, json.dumps(asdict(info), indent=2))


def is_announced(data_dir: Path) -> bool:
    """Whether commands find the stack that runs on this folder."""
    return (data_dir / _RUNTIME).exists()


def announce_metrics(data_dir: Path, ports: Mapping[str, int]) -> None:
    """Says where each part serves its metrics, as a file for `file_sd_configs` of Prometheus."""
    targets = [
        {"targets": [f"127.0.0.1:{port}"], "labels": {"part": part}} for part, port in ports.items()
    ]
    _write(data_dir / _TARGETS, json.dumps(targets, indent=2))


def announce_broker(data_dir: Path, redis_url: str) -> None:
    """Writes the address of the messages with its password, readable by this account only while
    the stack runs: `REDIS_URL=$(cat .searchqa/redis.url) celery -A worker inspect active`."""
    _write(data_dir / _REDIS_URL, redis_url)


def _write(path: Path, content: str) -> None:
    writing = path.with_suffix(".new")
    descriptor = os.open(writing, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(content)
    writing.replace(path)


def running_stack(data_dir: Path) -> StackInfo | None:
    """The stack that runs on this folder now, None if there is none. What a killed stack left
    behind does not count: its lock is gone."""
    try:
        info = StackInfo(**json.loads((data_dir / _RUNTIME).read_text()))
        with (data_dir / _LOCK).open() as lock:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return info
    except (FileNotFoundError, ValueError, TypeError):
        return None
    return None


def _delete_announcements(data_dir: Path) -> None:
    for name in (_RUNTIME, _TARGETS, _REDIS_URL):
        (data_dir / name).unlink(missing_ok=True)
