"""A steady flow of answers through a load balancer, its readers, and what became of each answer."""

import asyncio
import time
import uuid
from collections import Counter
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass

import httpx
from cluster import Cluster
from harness import ANSWER
from readers import BEGINNING, FINAL, EventReader, StoredEvent, is_over, stored_events
from searchqa_client import AsyncSearchQA
from searchqa_client.events import State

from cases import eventually

BASE_URL = "http://door"
PERIOD = 0.25
READERS = 4
# As long as the verdict of an answer takes, it may meet the next fault.
VERDICT_SECONDS = 1.5
# Of so many answers one has a reader of its own.
FOLLOWED = 5


@dataclass(frozen=True)
class Posted:
    """Seconds since 1970: when it was first sent, and when an API had taken it."""

    began: float
    taken: float


@dataclass(frozen=True)
class Fault:
    """Seconds since 1970. whole: when all hosts worked again."""

    name: str
    began: float
    healed: float
    whole: float


class ClientReader:
    """Follows the workspace by our Python client, with its retries."""

    def __init__(self, door: str, token: str) -> None:
        self.received: Counter[tuple[str, str]] = Counter()
        transport = httpx.AsyncHTTPTransport(uds=door)
        self._client = AsyncSearchQA(BASE_URL, token, transport=transport)

    async def follow(self) -> None:
        async with self._client as client:
            async for event in client.evaluations.changes(last_event_id=BEGINNING):
                if isinstance(event, State):
                    self.received[str(event.id), event.status] += 1


class Traffic:
    """posted: by evaluation. readers and client follow the workspace, followers a verdict each."""

    def __init__(self, cluster: Cluster, client: httpx.AsyncClient, token: str) -> None:
        self.posted: dict[str, Posted] = {}
        self.faults: list[Fault] = []
        self.readers = [EventReader(cluster.door, token) for _ in range(READERS)]
        self.followers: dict[str, EventReader] = {}
        self.client = ClientReader(cluster.door, token)
        self._cluster, self._client, self._token = cluster, client, token
        self._sent = 0
        self._unanswered: set[float] = set()
        self._posting: set[asyncio.Task[None]] = set()

    def start(self) -> None:
        following = [self.client.follow(), *(reader.follow() for reader in self.readers)]
        self._following = [asyncio.create_task(each) for each in following]
        self._flowing = asyncio.create_task(self._flow())

    async def _flow(self) -> None:
        while True:
            self._sent += 1
            task = asyncio.create_task(self._post())
            self._posting.add(task)
            task.add_done_callback(self._posting.discard)
            await asyncio.sleep(PERIOD)

    async def _post(self) -> None:
        """Again under its key until an API has taken it."""
        key = {"Idempotency-Key": uuid.uuid4().hex}
        began = time.time()
        self._unanswered.add(began)

        async def accepted() -> str | None:
            try:
                reply = await self._client.post("/qa-evaluations", json=ANSWER, headers=key)
            except httpx.TransportError:
                return None
            assert reply.is_success or reply.is_server_error, reply.text
            return str(reply.json()["id"]) if reply.is_success else None

        id_ = await eventually(accepted)
        assert id_
        self.posted[id_] = Posted(began, time.time())
        self._unanswered.remove(began)
        if len(self.posted) % FOLLOWED == 0:
            path = f"/qa-evaluations/{id_}/events"
            reader = self.followers[id_] = EventReader(self._cluster.door, self._token, path)
            self._following.append(asyncio.create_task(reader.follow()))

    def sent_before(self, then: float) -> bool:
        """Whether an answer of that time is not taken yet."""
        return any(began < then for began in self._unanswered)

    async def finish(self) -> None:
        """No new ones. Returns when all are taken and judged, and everybody has heard of it."""
        self._flowing.cancel()
        while self._posting:
            await asyncio.gather(*self._posting)
        assert len(self.posted) == self._sent
        await self._cluster.stack.settle()
        expected = kinds(await stored_events(self._cluster.stack))

        async def received() -> bool:
            counts = [self.client.received, *(kinds(reader.received) for reader in self.readers)]
            return all(count >= expected for count in counts) and all(
                is_over(reader) for reader in self.followers.values()
            )

        await eventually(received)

    async def stop(self) -> None:
        tasks = [self._flowing, *self._following, *self._posting]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def judged_at(self) -> dict[str, float]:
        """When each verdict was recorded."""
        rows = await self._cluster.stack.world.rows(
            "SELECT evaluation_id::text AS id, extract(epoch FROM created_at)::float8 AS at"
            " FROM verdict_events WHERE status = ANY(%s)",
            list(FINAL),
        )
        return {row["id"]: row["at"] for row in rows}

    def last_received_at(self) -> dict[str, float]:
        """When the last reader heard of each verdict."""
        last: dict[str, float] = {}
        for reader in (*self.readers, *self.followers.values()):
            for event, at in zip(reader.received, reader.received_at, strict=True):
                if event.status in FINAL:
                    last[event.evaluation_id] = max(last.get(event.evaluation_id, 0), at)
        return last

    async def report(self) -> list[str]:
        """A row for each fault, in seconds. Of the answers that met it, until all hosts worked
        again: the longest until one was taken, judged, and from then on heard of by all.
        Then how long the fault lasted, and how long after it all hosts worked."""
        judged, received = await self.judged_at(), self.last_received_at()
        rows = []
        for fault in self.faults:
            of_then = {
                id_: posted
                for id_, posted in self.posted.items()
                if fault.began <= posted.began + VERDICT_SECONDS < fault.whole
            }
            figures = (
                max(posted.taken - posted.began for posted in of_then.values()),
                max(judged[id_] - posted.began for id_, posted in of_then.items()),
                max(received[id_] - judged[id_] for id_ in of_then),
                fault.healed - fault.began,
                fault.whole - fault.healed,
            )
            cells = " | ".join(f"{seconds:.1f}" for seconds in figures)
            rows.append(f"| {fault.name} | {len(of_then)} | {cells} |")
        return rows


def kinds(events: Iterable[StoredEvent]) -> Counter[tuple[str, str]]:
    """What happened, and how often."""
    return Counter((event.evaluation_id, event.status) for event in events)


@asynccontextmanager
async def traffic(cluster: Cluster) -> AsyncIterator[Traffic]:
    """Flows as soon as the first answer of all is judged."""
    token = await cluster.stack.token()
    async with httpx.AsyncClient(
        transport=httpx.AsyncHTTPTransport(uds=cluster.door),
        base_url=BASE_URL,
        headers={"Authorization": f"Bearer {token}"},
        timeout=5,
    ) as client:
        flowing = Traffic(cluster, client, token)
        flowing.start()
        try:
            await eventually(lambda: first_is_judged(flowing))
            yield flowing
        finally:
            await flowing.stop()


async def first_is_judged(flowing: Traffic) -> bool:
    return bool(flowing.posted) and bool(await flowing.judged_at())
