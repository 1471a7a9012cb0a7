"""Where the embedded PostgreSQL is reached: a unix socket in its data folder."""

import contextlib
import hashlib
import os
import tempfile
from pathlib import Path

from app.platform.errors import SetupError

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
