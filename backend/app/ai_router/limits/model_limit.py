"""Limits of models: a request's costs against them, and the GCRA that spaces the calls."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from app.platform.setting_types import ModelLimit

NO_LIMIT = ModelLimit()
# More than any account has. What a server states beyond it, or below 1, is left out.
_MAX_STATED = 1_000_000_000

# OpenAI's names and Anthropic's; servers that speak their protocols send the same. They state what
# a minute holds, except for a few that state requests of a day, which then limit nothing.
_REQUESTS = ("x-ratelimit-limit-requests", "anthropic-ratelimit-requests-limit")
_TOKENS = ("x-ratelimit-limit-tokens", "anthropic-ratelimit-tokens-limit")


def stated_limit(headers: Mapping[str, str]) -> ModelLimit:
    """The limits that a reply states; NO_LIMIT where it states none."""
    return ModelLimit(_stated(headers, _REQUESTS), _stated(headers, _TOKENS))


def lower(a: ModelLimit, b: ModelLimit) -> ModelLimit:
    """Each limit the lower one of the two, where there are two."""
    return ModelLimit(*(_lower(*pair) for pair in zip(a, b, strict=True)))


def share(limit: ModelLimit, workers: int) -> ModelLimit:
    """The part of one of so many workers: at least 1 of each."""
    return ModelLimit(*(None if each is None else max(1, each // workers) for each in limit))


def _stated(headers: Mapping[str, str], names: tuple[str, ...]) -> int | None:
    for name in names:
        written = headers.get(name, "")
        if len(written) <= len(str(_MAX_STATED)) and written.isascii() and written.isdigit():
            number = int(written)
            if 1 <= number <= _MAX_STATED:
                return number
    return None


def _lower(a: int | None, b: int | None) -> int | None:
    if a is None or b is None:
        return b if a is None else a
    return min(a, b)


MINUTE = 60.0
# The share of a minute's limit that may pass at once, after a pause. The rate is that much lower,
# so that no sliding minute holds more than the limit.
BURST = 0.04
# The share of a burst that is kept for fresh answers.
LIVE_SHARE = 0.5
# The part of the calls in flight that is kept for them: one in ten.
LIVE_CALLS = 10
# Calls in flight end when they end; this is when to look again at the latest, in seconds.
IN_FLIGHT_WAIT = 0.25
# Slow start: a model of which nothing is known has so many calls in flight, and one more for each
# reply, because the first replies state the limits of a server that has any. After so many that
# state none there is none. Where replies are slow the number doubles in so many seconds.
FIRST_CALLS, PLAIN_REPLIES, DOUBLING_SECONDS = 4, 4, 2
_EPSILON = 1e-6


class Ask(NamedTuple):
    """What one verdict is going to take, by estimate. bulk: it lets fresh answers go first."""

    id: str
    requests: int
    tokens: int
    bulk: bool = False


@dataclass(slots=True)
class Bucket:
    """One limited quantity. `at` is the theoretical arrival time in seconds: when all that was
    taken has been earned. least: what passes at once, however low the limit is."""

    per_minute: float
    least: float
    at: float = 0.0

    @property
    def burst(self) -> float:
        return max(self.least, self.per_minute * BURST)

    @property
    def rate(self) -> float:
        """Earned in a second."""
        return (self.per_minute - self.burst + self.least) / MINUTE

    def wait(self, now: float, amount: float, *, bulk: bool) -> float:
        """Seconds until so much may be taken. More than a burst is taken once the burst is
        there, and what is missing is owed."""
        burst = max(self.least, self.burst * (1 - LIVE_SHARE)) if bulk else self.burst
        ahead = max(self.at - now, 0.0)
        return ahead - (burst - min(amount, burst)) / self.rate

    def charge(self, now: float, amount: float) -> None:
        """amount: negative where something that was taken is given back. No debt outlasts the
        minute that the server looks at."""
        if amount > 0:
            owed = max(self.at, now) + amount / self.rate
            self.at = max(self.at, min(owed, now + MINUTE))
        else:
            self.at += amount / self.rate


class Gcra:
    """The allowance of one process. Times are seconds of any clock that does not go back."""

    def __init__(self, limit: ModelLimit, *, is_new: bool = False) -> None:
        """is_new: it is not known whether there are limits."""
        self.is_new = is_new
        self._replies = 0
        self._began = 0.0
        self._requests = limit.requests and Bucket(limit.requests, 1)
        self._tokens = limit.tokens and Bucket(limit.tokens, 0)
        self._most_in_flight = limit.in_flight
        self._in_flight: dict[str, int] = {}
        self._held_until = 0.0

    def take(self, now: float, asks: Sequence[Ask]) -> tuple[int, float]:
        """How many of them, from the first on, may go now, and the seconds that the next waits."""
        if not self._in_flight:
            self._began = now
        for taken, ask in enumerate(asks):
            wait = self._wait(now, ask)
            if wait > 0:
                return taken, wait
            self.charge(now, ask.requests, ask.tokens)
            self._in_flight[ask.id] = ask.requests
        return len(asks), 0.0

    def charge(self, now: float, requests: float, tokens: float) -> None:
        if self._requests:
            self._requests.charge(now, requests)
        if self._tokens:
            self._tokens.charge(now, tokens)

    def release(self, ids: Sequence[str]) -> None:
        for id_ in ids:
            self._in_flight.pop(id_, None)

    def replied(self, calls: int) -> None:
        """So many replies came, which have stated no limit if it is still new."""
        self._replies += calls
        self.is_new = self.is_new and self._replies < PLAIN_REPLIES

    def hold(self, until: float) -> None:
        """Nothing is taken before `until`, and nothing has been saved up then."""
        self._held_until = max(self._held_until, until)
        for bucket in (self._requests, self._tokens):
            if bucket:
                bucket.at = max(bucket.at, until + bucket.burst / bucket.rate)

    def _wait(self, now: float, ask: Ask) -> float:
        waits = [self._held_until - now]
        if self._requests:
            waits.append(self._requests.wait(now, ask.requests, bulk=ask.bulk))
        if self._tokens:
            waits.append(self._tokens.wait(now, ask.tokens, bulk=ask.bulk))
        most = self._most(now)
        if most and not self._has_place(ask, most):
            waits.append(IN_FLIGHT_WAIT)
        longest = max(waits)
        return longest if longest > _EPSILON else 0.0

    def _most(self, now: float) -> int | None:
        if not self.is_new:
            return self._most_in_flight
        doublings = (now - self._began) // DOUBLING_SECONDS
        return (FIRST_CALLS << int(doublings)) + self._replies

    def _has_place(self, ask: Ask, most: int) -> bool:
        """One verdict may always go alone, however many calls it takes."""
        held = sum(self._in_flight.values())
        most -= most // LIVE_CALLS if ask.bulk else 0
        return held == 0 or held + ask.requests <= most


@dataclass(slots=True)
class Known:
    """is_new: nothing yet; stated: by the last reply; limit: of requests and tokens, as all workers
    share it; workers: that ask for the model; ratio: what estimates of tokens are multiplied by."""

    is_new: bool = False
    stated: ModelLimit = NO_LIMIT
    limit: ModelLimit = NO_LIMIT
    workers: int = 1
    allowance: float = 1.0
    ratio: float = 1.0
    _alone: Gcra | None = field(default=None, init=False)
    _alone_for: tuple[ModelLimit, int] | None = field(default=None, init=False)

    def alone(self, configured: ModelLimit) -> Gcra:
        """This worker's part."""
        limit = lower(lower(configured, self.limit), self.stated)
        reduced = ModelLimit(
            limit.requests and max(1, int(limit.requests * self.allowance)),
            limit.tokens and max(1, int(limit.tokens * self.allowance)),
            limit.in_flight,
        )
        part = reduced, self.workers
        if self._alone is None or self._alone_for != part:
            self._alone = Gcra(share(*part), is_new=self.is_new)
            self._alone_for = part
        return self._alone

    def share_again(self) -> None:
        """Redis is back."""
        self._alone = self._alone_for = None


class Taken(NamedTuple):
    """How many asks may go now, the seconds that the next one waits, and by what the estimates of
    their tokens were multiplied."""

    number: int
    wait: float
    ratio: float


@dataclass(slots=True)
class Settlement:
    """What a model's calls took, and what had been taken for the verdicts that have ended."""

    requests: float = 0
    tokens: float = 0
    estimated: float = 0
    used: float = 0
    calls: int = 0
    seconds: float = 0
    refused: bool = False
    rest: float = 0
    stated: ModelLimit = NO_LIMIT
    ended: list[tuple[str, int]] = field(default_factory=list)
