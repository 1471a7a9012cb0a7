"""When a request is sent again."""

from __future__ import annotations

import random
from dataclasses import dataclass

from searchqa_client.errors import SearchQAError

_MAX_DOUBLINGS = 20
_FIRST_LOOK_SECONDS = 0.1
# A proxy that asks for a day must not keep a background queue waiting for one.
_MAX_ASKED_SECONDS = 300.0


@dataclass(frozen=True, slots=True)
class Retry:
    """tries: how often a request is sent at most. first_seconds, max_seconds: bounds of the pause
    after the first failure and after any."""

    tries: int = 6
    first_seconds: float = 0.5
    max_seconds: float = 30.0

    def pause(self, failures: int, retry_after: float | None = None) -> float:
        """Seconds to wait after so many failures in a row: exponential, with full jitter. What
        the server asks for, up to five minutes, comes first and the jitter after it, so that
        clients do not return all at once."""
        ceiling = self.first_seconds * 2 ** min(failures - 1, _MAX_DOUBLINGS)
        asked = min(retry_after or 0.0, _MAX_ASKED_SECONDS)
        return asked + random.uniform(0, min(ceiling, self.max_seconds))  # noqa: S311  # spreads load, keeps no secret

    def pause_after(self, error: SearchQAError, failures: int, *, repeatable: bool) -> float | None:
        """The same, or None when the request is not to be sent again. repeatable: sending it
        twice has the effect of sending it once."""
        longest = self.max_seconds * 2
        if (
            failures >= self.tries
            or not error.transient
            or (error.arrived and not repeatable)
            or (error.retry_after or 0.0) > longest
        ):
            return None
        return self.pause(failures, error.retry_after)


def look_again_after(looks: int, retry_after: float | None) -> float:
    """Seconds until a state that was not final after so many looks is looked at again. A server
    cannot ask for less than a second; the first looks are closer, for a verdict by rules is there
    at once."""
    asked = 1.0 if retry_after is None else retry_after
    return asked if asked > 1 else min(asked, _FIRST_LOOK_SECONDS * 2 ** min(looks, _MAX_DOUBLINGS))
