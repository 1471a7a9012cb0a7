"""What a transaction that stays open does to the order of events, and for how long.

Events are delivered in the order of their transaction ids, up to the oldest transaction that is
still open: the horizon. Any session of the cluster can hold the horizon back, and most of them
never write an event. So when it has not moved for a while, events are delivered as they become
visible. A snapshot says which ones were: an event whose transaction is visible in it.
"""

import logging
from time import monotonic

logger = logging.getLogger(__name__)

# How long events wait for the order of their transactions (seconds).
HELD_BACK_SECONDS = 1.0


class HeldBack:
    """`snapshot` is set while events are delivered early: all that are visible in it were."""

    def __init__(self) -> None:
        self.snapshot: str | None = None
        self._horizon: int | None = None
        self._since = 0.0

    def is_due(self, horizon: int) -> bool:
        """Whether what is visible above the horizon is to be delivered now; all below it was."""
        if self.snapshot is not None:
            return True
        if horizon != self._horizon:
            self._horizon, self._since = horizon, monotonic()
        if monotonic() - self._since < HELD_BACK_SECONDS:
            return False
        self.snapshot = f"{horizon}:{horizon}:"
        logger.warning(
            "Transaction %s has been open for over %g s; until it ends, events are delivered as"
            " they come. The oldest backend_xid in pg_stat_activity names its session.",
            *(horizon, HELD_BACK_SECONDS),
        )
        return True

    def over(self) -> None:
        """Nothing above the horizon is left."""
        self.snapshot = self._horizon = None
