"""What the life of a verdict should look like, kept in Python beside the real one in PostgreSQL.

Time is a yes or no here: a row's hour has come or it has not. Tests move the rows' times by hours,
so that no clock is raced.
"""

import uuid
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import count

from app.verdicts.lifecycle.outcome import Failure, Lease, Outcome, Pause, Release, Retry, Verdict

BORN = ("queued", "skipped")
# From state to state as ARCHITECTURE.md draws it.
EDGES = {
    ("queued", "running"),
    ("retrying", "running"),
    ("running", "queued"),
    ("running", "retrying"),
    ("running", "succeeded"),
    ("running", "failed"),
}
FINAL = ("succeeded", "failed", "skipped")
# Deaths of a row that was alone each time; and at most, however many died with it.
ISOLATED_AT, GIVEN_UP_AT = 2, 4
ISOLATED_AT_LAST, MAX_CRASHES = 6, 8


@dataclass
class Reply:
    """One call to a judge. `content` is None when nothing useful came."""

    request_hash: str
    content: str | None
    tokens: int | None
    discarded: bool = False


@dataclass
class Life:
    """One evaluation. `due`: its time has come, or its lease has ended while it runs."""

    judge: str
    status: str
    reason: str | None
    attempt: int = 0
    tries: int = 0
    crashes: int = 0
    queue: str = "live"
    worker: uuid.UUID | None = None
    due: bool = False
    published: bool = False
    claimed_at: int = 0
    correctness: float | None = None
    tokens: int | None = None
    emitted: list[str] = field(default_factory=list)
    replies: list[Reply] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.emitted.append(self.status)

    @property
    def waits(self) -> bool:
        return self.status in {"queued", "retrying"}

    @property
    def final(self) -> bool:
        return self.status in FINAL

    @property
    def expired(self) -> bool:
        return self.status == "running" and self.due

    def move(self, status: str, reason: str | None) -> None:
        self.status, self.reason = status, reason
        self.published = False
        self.emitted.append(status)

    def claim(self, now: int) -> None:
        self.move("running", None)
        self.attempt += 1
        self.claimed_at = now
        self.due = False

    def crash(self, suspicion: float) -> None:
        self.crashes += 1
        alone = suspicion >= 0.999
        if (self.crashes >= ISOLATED_AT and alone) or self.crashes >= ISOLATED_AT_LAST:
            self.queue = "isolated"
        given_up = self.crashes >= GIVEN_UP_AT and suspicion >= 1.998
        self.move("failed" if given_up else "retrying", "lease_expired")

    def clear_crashes(self) -> None:
        self.crashes, self.queue, self.published = 0, "live", False

    def spent(self) -> int | None:
        """Tokens of all calls so far."""
        known = [reply.tokens for reply in self.replies if reply.tokens is not None]
        return sum(known) if known else None

    def offers(self) -> dict[str, set[str]]:
        """Useful contents by request hash."""
        offered: dict[str, set[str]] = {}
        for reply in self.replies:
            if reply.content is not None and not reply.discarded:
                offered.setdefault(reply.request_hash, set()).add(reply.content)
        return offered

    def record(self, outcome: Outcome) -> None:
        self.due = True
        match outcome:
            case Verdict():
                self.move("succeeded", None)
                self.correctness = outcome.evaluation.correctness
                given = outcome.usage.prompt_tokens
                # Only the verdict of a first attempt knows what all was spent.
                counted = self.spent() if given is None or self.attempt > 1 else None
                self.tokens = given if counted is None else counted
            case Retry(_, delay, discards):
                self.move("retrying", "transient_failure")
                self.tries += 1
                self.due = delay == 0
                self.tokens = self.spent()
                for reply in self.replies:
                    reply.discarded |= reply.request_hash in discards
            case Failure():
                self.move("failed", None)
                self.tries += 1
                self.tokens = self.spent()
            case Pause(_, tried):
                self.move("queued", "judge_paused")
                self.tries += tried
                self.tokens = self.spent() if self.attempt > 1 else None
            case Release():
                self.move("queued", "released")
                self.tokens = self.spent() if self.attempt > 1 else None


@dataclass
class Cooldown:
    """The pause of one judge."""

    since: int
    probe_is_due: bool = False


class Model:
    """All evaluations and the pauses of their judges."""

    def __init__(self) -> None:
        self.lives: dict[uuid.UUID, Life] = {}
        self.pauses: dict[str, Cooldown] = {}
        # By worker and evaluation.
        self.shares: dict[tuple[uuid.UUID | None, uuid.UUID], float] = {}
        self._ticks = count(1)

    def born(self, id_: uuid.UUID, judge: str, skipped_because: str | None) -> None:
        if skipped_because:
            life = Life(judge, "skipped", skipped_because)
        else:
            life = Life(judge, "queued", "judge_paused" if judge in self.pauses else None)
        self.lives[id_] = life

    def waiting_for(self, judge: str) -> dict[uuid.UUID, Life]:
        return {i: life for i, life in self.lives.items() if life.judge == judge and life.waits}

    def _admit(self, life: Life) -> bool:
        return life.judge not in self.pauses or life.reason == "probe"

    def claimable(self, ids: Iterable[uuid.UUID]) -> set[uuid.UUID]:
        lives = {id_: self.lives[id_] for id_ in ids if id_ in self.lives}
        return {
            id_
            for id_, life in lives.items()
            if (life.status == "queued" or (life.status == "retrying" and life.due))
            and self._admit(life)
        }

    def due(self, queue: str) -> set[uuid.UUID]:
        return {
            id_
            for id_, life in self.lives.items()
            if life.waits and life.due and not life.published and life.queue == queue
            if self._admit(life)
        }

    def claim(self, ids: Iterable[uuid.UUID], worker: uuid.UUID) -> None:
        now = next(self._ticks)
        for id_ in ids:
            self.lives[id_].claim(now)
            self.lives[id_].worker = worker

    def delete(self, id_: uuid.UUID) -> None:
        del self.lives[id_]
        self._clear(id_)

    def crash(self, lost: set[uuid.UUID]) -> None:
        """Leases of these have ended: what one worker held shares the suspicion, and a row that was
        alone explains the deaths before."""
        before = dict(self.shares)
        for id_ in lost:
            self.shares[self.lives[id_].worker, id_] = self._share(self.lives[id_].worker, before)
        alone = {id_ for id_ in lost if self.shares[self.lives[id_].worker, id_] == 1}
        deaths = {worker for worker, id_ in before if id_ in alone}
        cleared = {i for worker, i in before if worker in deaths} - lost
        for id_ in lost:
            self.lives[id_].crash(sum(s for (_, i), s in self.shares.items() if i == id_))
        for id_ in cleared:
            if not self.lives[id_].final:
                self.lives[id_].clear_crashes()
                self._clear(id_)

    def _share(
        self, worker: uuid.UUID | None, before: dict[tuple[uuid.UUID | None, uuid.UUID], float]
    ) -> float:
        known = [share for (dead, _), share in before.items() if dead == worker]
        held = [life for life in self.lives.values() if life.worker == worker]
        return known[0] if known else 1 / sum(life.status == "running" for life in held)

    def _clear(self, id_: uuid.UUID) -> None:
        self.shares = {key: share for key, share in self.shares.items() if key[1] != id_}

    def expired(self) -> set[uuid.UUID]:
        return {id_ for id_, life in self.lives.items() if life.expired}

    def holds(self, claim: Lease) -> bool:
        """Whether the lease may still be recorded."""
        life = self.lives.get(claim.id)
        return life is not None and (life.status, life.attempt) == ("running", claim.attempt)

    def record(self, written: Iterable[tuple[Lease, Outcome]]) -> None:
        """One statement's worth of outcomes, all of them by holders."""
        now = next(self._ticks)
        before = dict(self.pauses)
        written = list(written)
        for claim, outcome in written:
            self.lives[claim.id].record(outcome)
            if isinstance(outcome, Pause):
                self.pauses[claim.judge_model] = Cooldown(now)
        for claim, outcome in written:
            rest = before.get(claim.judge_model)
            lifts = isinstance(outcome, Verdict) and outcome.degraded_because is None
            # A pause in the same statement is the newer word.
            if (
                lifts
                and rest is not None
                and rest is self.pauses.get(claim.judge_model)
                and rest.since < self.lives[claim.id].claimed_at
            ):
                del self.pauses[claim.judge_model]

    def hours_pass(self) -> None:
        for life in self.lives.values():
            life.due, life.published = True, False
        for rest in self.pauses.values():
            rest.probe_is_due = True
