"""The batch endpoints of the stub model server: OpenAI's files and batches, and Anthropic's message
batches. Both are slow, answer out of order, and fail in the ways that `Plan` names."""

import hashlib
import itertools
import json
import random
import re
import time
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Literal

from stub_behaviours import Behaviour, Content, Json, fill_schema

# answered: a good reply. twice: the same, on two lines. broken: a reply on a line that is no JSON.
# lost: paid for, but on no line. refused, overloaded: an error for this line. expired: not begun
# within the time of the batch.
Fate = Literal["answered", "twice", "broken", "lost", "refused", "overloaded", "expired"]
PAID = frozenset({"answered", "twice", "broken", "lost"})
UNPAID = frozenset({"refused", "overloaded", "expired", "cancelled"})
FATES = PAID | UNPAID
CUSTOM_ID = re.compile(r"[a-zA-Z0-9_-]{1,64}")

Route = Literal["upload", "create", "list", "status", "replies", "cancel", "delete"]


@dataclass
class Plan:
    """What becomes of batches.

    polls: requests for its status, or for a list, that find a batch running before it ends; None:
    it runs until `StubBatches.finish`. seconds: it takes at least so long. settling: a batch is
    neither listed nor known until so many seconds after it was created. fate: of a line, by its
    place in the batch and its custom id. stranger: the results hold a line that was never handed
    in. full: so many of the next batches are not begun, because others have too many tokens in
    them. cut_off: the last line of the results ends in its middle. missing: there are no such
    addresses. done_at_cancel: lines that are answered before a cancel takes effect. complaint: the
    message of an error that refuses a line.
    """

    polls: int | None = 1
    seconds: float = 0.0
    settling: float = 0.0
    fate: Callable[[int, str], Fate] = lambda _index, _custom_id: "answered"
    stranger: bool = False
    full: int = 0
    cut_off: bool = False
    missing: bool = False
    max_lines: int = 50_000
    max_bytes: int = 200_000_000
    done_at_cancel: int = 0
    complaint: str = "prompt is too long"


@dataclass
class Line:
    custom_id: str
    body: Json
    fate: Fate


@dataclass
class Batch:
    """ended: its lines have got their replies, or never will. error: why none was begun."""

    id: str
    lines: list[Line]
    created_at: float
    metadata: Json | None = None
    input_file: str | None = None
    polls: int = 0
    ended: bool = False
    # Its files are made once, so that what is deleted stays deleted.
    filed: bool = False
    cancelled: bool = False
    error: str | None = None
    done: list[Line] = field(default_factory=list)


@dataclass
class StubBatches:
    """Give it to a StubServer. submitted and paid: how often a custom id was handed in with a
    batch, and answered by one; prompts: how often the messages of a request were answered, by a
    batch or by a call (by digest); batches: by id, the oldest first; files: by id; counts: what
    batches report instead of theirs."""

    plan: Plan = field(default_factory=Plan)
    content: Content = fill_schema
    usage: tuple[int, int] = (100, 20)
    submitted: Counter[str] = field(default_factory=Counter)
    paid: Counter[str] = field(default_factory=Counter)
    prompts: Counter[str] = field(default_factory=Counter)
    batches: dict[str, Batch] = field(default_factory=dict)
    files: dict[str, bytes] = field(default_factory=dict)
    requests: Counter[str] = field(default_factory=Counter)
    counts: Mapping[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._scripted: defaultdict[str, deque[Behaviour]] = defaultdict(deque)
        self._lost: Counter[str] = Counter()
        self._numbers = itertools.count(1)

    def script(self, route: Route, *behaviours: Behaviour) -> None:
        """The next requests of the route are answered by these, and have no effect."""
        self._scripted[route].extend(behaviours)

    def lose_reply(self, route: Route) -> None:
        """The next request of the route takes effect, but the connection is reset."""
        self._lost[route] += 1

    def finish(self) -> None:
        """All batches end now."""
        for batch in self.batches.values():
            self.end(batch)

    def stats(self) -> Json:
        """How much was handed in and paid for, and how much of it more than once."""
        return {
            "batches": len(self.batches),
            "files": len(self.files),
            "submitted": self.submitted.total(),
            "submitted_twice": sum(count > 1 for count in self.submitted.values()),
            "paid": self.paid.total(),
            "paid_twice": sum(count > 1 for count in self.paid.values()),
            "prompts_paid_twice": sum(count > 1 for count in self.prompts.values()),
        }

    def count_call(self, body: Json) -> None:
        """A request that was answered outside of batches."""
        self.prompts[digest(body)] += 1

    def new_id(self, kind: str) -> str:
        return f"{kind}_{next(self._numbers):06d}"

    def add(self, batch: Batch) -> Batch:
        """Hands a batch in."""
        self.batches[batch.id] = batch
        if batch.error is None:
            self.submitted.update(line.custom_id for line in batch.lines)
        else:
            batch.ended = True
        return batch

    @property
    def known(self) -> dict[str, Batch]:
        """The batches by id."""
        since = time.time() - self.plan.settling
        return {id_: batch for id_, batch in self.batches.items() if batch.created_at <= since}

    def line(self, index: int, custom_id: str, body: Json) -> Line:
        return Line(custom_id, body, self.plan.fate(index, custom_id))

    def poll(self, batch: Batch) -> Batch:
        """The batch as a request for its status finds it."""
        if batch.cancelled:
            self.end(batch)
        elif not batch.ended and self.plan.polls is not None:
            old = time.time() - batch.created_at >= self.plan.seconds
            if batch.polls >= self.plan.polls and old:
                self.end(batch)
        batch.polls += 1
        return batch

    def end(self, batch: Batch) -> None:
        if batch.ended:
            return
        batch.ended = True
        done = batch.lines[: self.plan.done_at_cancel] if batch.cancelled else batch.lines
        batch.done = [line for line in done if line.fate in PAID]
        for line in batch.done:
            self.paid[line.custom_id] += 1
            self.prompts[digest(line.body)] += 1

    def results(
        self, batch: Batch, render: Callable[[Line, str], Json], fates: Collection[str] = FATES
    ) -> bytes:
        """The lines of JSON that come back for lines of these fates, as `render` makes them of a
        line and its fate, which is "cancelled" where that came before it."""
        lines = []
        for line in batch.lines:
            fate = "cancelled" if batch.cancelled and line not in batch.done else line.fate
            text = json.dumps(render(line, fate))
            if fate in fates and fate != "lost":
                lines.append(text[: len(text) // 2] if fate == "broken" else text)
                lines.extend([text] * (fate == "twice"))
        if self.plan.stranger and "answered" in fates:
            stranger = Line("stranger-0-0", {"model": "stub", "messages": []}, "answered")
            lines.append(json.dumps(render(stranger, "answered")))
        random.Random(batch.id).shuffle(lines)
        text = "".join(line + "\n" for line in lines)
        if self.plan.cut_off and lines:
            text = text[: -len(lines[-1]) // 2]
        return text.encode()

    def take_scripted(self, route: str) -> Behaviour | None:
        scripted = self._scripted[route]
        return scripted.popleft() if scripted else None

    def take_lost(self, route: str) -> bool:
        """Whether the reply to this request is lost."""
        lost = self._lost[route] > 0
        self._lost[route] -= lost
        return lost


def digest(body: Json) -> str:
    """Stands for the messages of a request, in either protocol."""
    said = json.dumps([body.get("system"), body.get("messages")], sort_keys=True)
    return hashlib.sha256(said.encode()).hexdigest()[:16]
