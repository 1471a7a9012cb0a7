"""Days and their time zone as query parameters."""

import datetime as dt
import re
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, StringConstraints

from app.platform.time_zones import is_time_zone


def _written_as_a_day(written: object) -> object:
    """A bare number is a mistake, not the days or seconds since 1970."""
    if isinstance(written, str) and not re.fullmatch(r"\d{4}-\d\d-\d\d", written, re.ASCII):
        raise ValueError("write a day as 2026-01-31")
    return written


def _known_zone(name: str) -> str:
    if not is_time_zone(name):
        raise ValueError("write a time zone as Asia/Seoul or UTC")
    return name


Day = Annotated[dt.date, BeforeValidator(_written_as_a_day)]
TimeZone = Annotated[str, StringConstraints(max_length=100), AfterValidator(_known_zone)]
