"""When a failed delivery is tried again: over about a day, then given up."""

import random

# Seconds after the first failed try, the second, and so on; a day and an hour in all.
DELAYS = (5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400, 28_800, 36_000)
MAX_TRIES = len(DELAYS) + 1
# Receivers that failed together are not all tried again in the same moment.
_JITTER = 0.2
MAX_RETRY_AFTER = 86_400


def next_delay(tries: int, retry_after: float | None) -> float | None:
    """Seconds until the next try after `tries` have failed; None when there is none. A receiver
    that asks for more time than that gets it, up to a day."""
    if tries >= MAX_TRIES:
        return None
    delay = DELAYS[tries - 1] * (1 + _JITTER * random.random())  # noqa: S311  no secret
    return max(delay, min(retry_after or 0, MAX_RETRY_AFTER))
