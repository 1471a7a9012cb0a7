"""Durations on a command line."""

import datetime as dt
import re

from app.platform.errors import SetupError

_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
_MAX_LENGTH = dt.timedelta(days=36_500)


def parse_duration(written: str) -> dt.timedelta:
    """`15m`, `12h`, `30d` or `2w`, up to a hundred years. Raises SetupError."""
    match = re.fullmatch(r"([1-9][0-9]{0,6})([mhdw])", written.strip().lower(), re.ASCII)
    if match:
        duration = dt.timedelta(**{_UNITS[match[2]]: int(match[1])})
        if duration <= _MAX_LENGTH:
            return duration
    raise SetupError(f"{written!r} is not a duration; write 15m, 12h, 30d or 2w.")
