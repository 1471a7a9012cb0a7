"""The account that runs PostgreSQL when we are root, and what it may reach."""

import os
import pwd
import stat
from pathlib import Path

from app.embedded.process import Program, last_line, run_to_end
from app.errors import SetupError


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
    """A folder that only the account can enter. Raises SetupError if somebody else has it."""
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    uid = uid_of(user)
    if path.stat().st_uid == os.geteuid() != uid:
        os.chown(path, uid, pwd.getpwuid(uid).pw_gid)
    if path.stat().st_uid != uid or stat.S_IMODE(path.stat().st_mode) & 0o077:
        raise SetupError(f"{path} must belong to user id {uid} alone: remove it or mend its mode.")


def open_the_way_to(path: Path, user: str | None) -> None:
    """Lets the account that root uses pass through the folders above; passing is not reading."""
    if user is None:
        return
    for folder in path.parents:
        mode = folder.stat().st_mode
        if not mode & stat.S_IXOTH:
            folder.chmod(stat.S_IMODE(mode) | stat.S_IXOTH)
