"""Set-up of a process: logging and the limit of open files."""

import logging
import resource


def configure_logging(level: str) -> None:
    """Plain lines on stderr; source and time are added by the collector."""
    logging.basicConfig(level=level.upper(), format="%(levelname)s %(message)s")
    quiet_libraries()


def quiet_libraries() -> None:
    """httpx logs every request with its address at INFO: too much, and an address may be
    private."""
    logging.getLogger("httpx").setLevel(logging.WARNING)


def allow_open_files(wanted: int) -> int:
    """Raises the soft limit to `wanted`, as far as the hard one allows; the usual 1024 are too few
    for a connection each. Returns the limit that holds now, `wanted` if there is none."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return wanted
    if soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return soft
