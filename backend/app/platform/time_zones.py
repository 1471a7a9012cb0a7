"""Names of time zones, as PostgreSQL and the pages know them."""

import zoneinfo
from functools import cache


@cache
def _known() -> frozenset[str]:
    # To list them opens some hundred files, which takes 7 ms.
    return frozenset(zoneinfo.available_timezones())


def is_time_zone(name: str) -> bool:
    """Whether it is an IANA name such as Asia/Seoul or UTC."""
    return name in _known()
