"""Four hosts with APIs, dispatchers and workers behind a load balancer, while answers arrive at a
steady rate and are followed: links between any two are cut for longer than a lease, hosts are gone
for good, and everything is restarted."""

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import ExitStack, asynccontextmanager
from functools import partial
from itertools import combinations, product
from pathlib import Path

import pytest
from cluster import APIS, WORKERS, Cluster, open_cluster
from fault_fixtures import Remark
from harness import Stack
from hosts import Split
from readers import stored_events
from traffic import Fault, Traffic, kinds, traffic
from victims import is_back

from cases import eventually

# Longer than a lease, so that what the split-off worker holds is judged by the other one.
LEASE = 12.1
SPLIT_SECONDS = LEASE + 1
# Long enough for statements and health checks to run into it.
SHORT_SPLIT_SECONDS = 3.0
# What has anything to say to each other; of the other pairs nobody may notice a split.
TALKING = [*product(APIS, ("db", "redis", "edge")), *product(WORKERS, ("db", "redis", "judge"))]
HEADER = (
    "| Fault | answers | taken within | judged within | heard after | lasted | recovered after |\n"
    "|---|--:|--:|--:|--:|--:|--:|"
)
SETTINGS = {
    "judge_deadline": 2,
    "judge_lease": LEASE,
    "max_attempts": 20,
    "heartbeat_limit": 600,
    "rate_limit": "100000/minute",
    "rate_limit_writes": "100000/minute",
}

Pairs = Sequence[tuple[str, str]]


@pytest.fixture
async def cluster(new_folder: Path, run_folder: Path) -> AsyncIterator[Cluster]:
    async with open_cluster(new_folder, run_folder, **SETTINGS) as cluster:
        yield cluster


@pytest.mark.slow_fault
async def test_any_two_hosts_are_split(cluster, holds, remark):
    async with traffic(cluster) as flowing:
        for pairs in (
            [("api1", "redis"), ("work1", "judge")],
            [("api1", "db")],
            [("work1", "redis")],
            [("work1", "db")],
            [("api1", "redis"), ("api2", "redis")],
            [("edge", "api1")],
        ):
            async with fault(flowing, cluster, f"{named(pairs)}: all packets dropped"):
                await split(cluster, pairs, Split.DROP)
        for pairs in ([("db", "api1"), ("redis", "work1")], [("db", "work1"), ("redis", "api1")]):
            async with fault(flowing, cluster, f"{named(pairs)}: replies alone dropped"):
                await split(cluster, pairs, Split.DROP, both=False)
        for pairs in ([("api1", "db"), ("work1", "redis")], [("api1", "redis"), ("work1", "db")]):
            async with fault(flowing, cluster, f"{named(pairs)}: refused"):
                await split(cluster, pairs, Split.REJECT)
        for pair in TALKING:
            async with fault(flowing, cluster, f"{named([pair])}: all packets dropped for a while"):
                await split(cluster, [pair], Split.DROP, seconds=SHORT_SPLIT_SECONDS)
        async with fault(flowing, cluster, "all pairs that do not talk: all packets dropped"):
            await split(cluster, silent(cluster), Split.DROP, seconds=SHORT_SPLIT_SECONDS)
        await everything_arrived(flowing, cluster.stack)
        faults = len(flowing.faults)
        await holds(cluster.stack, "any two hosts split, some for longer than a lease", runs=faults)
        await describe(flowing, remark)


def silent(cluster: Cluster) -> Pairs:
    talking = {frozenset(pair) for pair in TALKING}
    return [pair for pair in combinations(cluster.hosts, 2) if frozenset(pair) not in talking]


@pytest.mark.slow_fault
async def test_hosts_are_restarted_and_gone_for_good(cluster, holds, remark):
    async with traffic(cluster) as flowing:
        for name in (*WORKERS, *APIS):
            async with fault(flowing, cluster, f"{name} restarted"):
                for process in cluster.on.pop(name):
                    await process.stop()
                await cluster.start_host(name)
        async with fault(flowing, cluster, "Redis restarted, empty"):
            await asyncio.to_thread(cluster.redis.kill)
            await asyncio.to_thread(cluster.redis.start)
        async with fault(flowing, cluster, "PostgreSQL restarted"):
            await cluster.postgres.restart()
            await eventually(lambda: is_back(cluster.stack.world.pool))
        lost = ("work2", "api2")
        for name in lost:
            async with fault(flowing, cluster, f"{name} gone for good"):
                cluster.lose(name)
        await eventually(partial(no_sessions, cluster, lost))
        await everything_arrived(flowing, cluster.stack)
        faults = len(flowing.faults)
        await holds(cluster.stack, "hosts restarted one by one, two gone for good", runs=faults)
        await describe(flowing, remark)


@asynccontextmanager
async def fault(flowing: Traffic, cluster: Cluster, name: str) -> AsyncIterator[None]:
    """What happens inside is over at its end. Returns when every host that is left works again and
    all that was posted before is judged."""
    began = time.time()
    yield
    healed = time.time()
    await asyncio.gather(
        eventually(partial(all_judged, flowing, before=healed)),
        eventually(partial(all_apis_up, cluster)),
        *(cluster.judges_at(host) for host in WORKERS if host in cluster.on),
    )
    flowing.faults.append(Fault(name, began, healed, time.time()))


async def all_apis_up(cluster: Cluster) -> bool:
    return cluster.up() == set(APIS) & set(cluster.on)


async def no_sessions(cluster: Cluster, lost: Sequence[str]) -> bool:
    """PostgreSQL keeps none for hosts that are gone: their number is limited."""
    addresses = [cluster.hosts[name].address for name in lost]
    found = "SELECT pid FROM pg_stat_activity WHERE client_addr = ANY(%s::inet[])"
    return not await cluster.stack.world.rows(found, addresses)


async def all_judged(flowing: Traffic, *, before: float) -> bool:
    if flowing.sent_before(before):
        return False
    judged = await flowing.judged_at()
    return all(id_ in judged for id_, posted in flowing.posted.items() if posted.began < before)


def named(pairs: Pairs) -> str:
    return ", ".join(f"{one}-{other}" for one, other in pairs)


async def split(
    cluster: Cluster, pairs: Pairs, how: Split, *, both: bool = True, seconds: float = SPLIT_SECONDS
) -> None:
    with ExitStack() as splits:
        for one, other in pairs:
            hosts = cluster.hosts[one], cluster.hosts[other]
            splits.enter_context(cluster.network.split(*hosts, how, both=both))
        await asyncio.sleep(seconds)


async def everything_arrived(flowing: Traffic, stack: Stack) -> None:
    """Each answer is stored once, though it was sent again, and every reader has heard what
    happened."""
    await flowing.finish()
    (stored,) = await stack.world.rows("SELECT count(*) AS answers FROM qa_answers")
    assert stored["answers"] == len(flowing.posted)
    expected = kinds(await stored_events(stack))
    for reader in flowing.readers:
        assert kinds(reader.received) == expected, "no gap, and no repeat"
    assert flowing.client.received == expected
    for id_, reader in flowing.followers.items():
        own = {kind: count for kind, count in expected.items() if kind[0] == id_}
        assert kinds(reader.received) == own


async def describe(flowing: Traffic, remark: Remark) -> None:
    remark("\n".join([HEADER, *await flowing.report()]))
