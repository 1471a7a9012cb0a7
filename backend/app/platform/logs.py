"""Logging of the processes that are ours."""

import logging


def configure_logging(level: str) -> None:
    """Plain lines on stderr; source and time are added by the collector."""
    logging.basicConfig(level=level.upper(), format="%(levelname)s %(message)s")
    quiet_libraries()


def quiet_libraries() -> None:
    """httpx logs every request with its address at INFO: too much, and an address may be
    private."""
    logging.getLogger("httpx").setLevel(logging.WARNING)
