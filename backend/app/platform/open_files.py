"""How many files and sockets this process may have open."""

import resource


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
