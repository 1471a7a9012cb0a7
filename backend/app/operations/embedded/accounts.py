"""The account that runs PostgreSQL when we are root, and what it may reach."""

import os
import pwd
import stat
from pathlib import Path

from app.operations.embedded.process import Program, last_line, run_to_end
from app.platform.errors import SetupError


async def ensure(user: str) -> None:
    """Makes the system account if it is missing. Raises SetupError if that fails."""
    try:
        pwd.getpwnam(user)
    except KeyError:
        command = ["useradd", "--system", "--no-create-home", "--user-group"]
        code, output = await run_to_end(Program([*command, "--shell", "/usr/sbin/nologin", user]))
        if code != 0:
            raise SetupError(
                f"PostgreSQL does not run as root, and user {user!r} could not be made"
                f" ({last_line(output)}): run searchqa as another user, or set DATABASE_URL."
            ) from None


def uid_of(user: str | None) -> int:
    """The id of the account, ours for None."""
    return pwd.getpwnam(user).pw_uid if user else os.geteuid()


def make_private_dir(path: Path, user: str | None) -> None:
    """A folder that only the account can enter. Raises SetupError if it is of another."""
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    uid = uid_of(user)
    if path.stat().st_uid == os.geteuid() != uid:
        os.chown(path, uid, pwd.getpwuid(uid).pw_gid)
    if path.stat().st_uid != uid or stat.S_IMODE(path.stat().st_mode) & 0o077:
        raise SetupError(f"{path} must belong to user id {uid} alone: remove it or mend its mode.")


def closed_folder(path: Path, user: str) -> Path | None:
    """The first folder on the way to the path, itself included, that the account may not enter, by
    its mode; None where it may enter all."""
    account = pwd.getpwnam(user)
    for folder in reversed([path, *path.parents]):
        found = folder.stat()
        if found.st_uid == account.pw_uid:
            needed = stat.S_IXUSR
        elif found.st_gid == account.pw_gid:
            needed = stat.S_IXGRP
        else:
            needed = stat.S_IXOTH
        if not found.st_mode & needed:
            return folder
    return None
