"""Clients that shut others out: a thousand connections without a word, heads that drip, and guesses
of tokens from the address that everybody has. Nobody with a token notices."""

import asyncio
import resource
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx
import pytest
from harness import ANSWER, HOST, LONG_LEASE, Stack
from readers import listening, wait_for_events
from slow_clients import Holder, drip, holding
from vital_signs import resident_mib

from api_client import NOTES, QUESTION
from app.operations.embedded.ports import free_port
from app.platform.server_settings import ApiSettings
from app.workspaces.service import create_login_code, ensure_workspace
from cases import TIMEOUT_SECONDS, eventually

IDLE = 1000
DRIPPING = 50
POSTS = 600
USUAL_FILES = 1024
ADDRESSES = [f"127.0.1.{number}" for number in range(1, 21)]
# For a thousand connections with 16 KiB of a head that is not complete, and objects around it.
MAX_GROWTH_MIB = 48
PER_ADDRESS = ApiSettings().connections_per_address


@asynccontextmanager
async def usual_files() -> AsyncIterator[None]:
    """What is started inside has the soft limit of open files that most systems give."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (USUAL_FILES, hard))
    try:
        yield
    finally:
        wanted = 4 * IDLE if hard == resource.RLIM_INFINITY else min(4 * IDLE, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, wanted), hard))


@pytest.mark.slow_fault
async def test_a_thousand_idle_connections(open_, holds):
    """From one address, then from twenty, with heads that drip among them."""
    stack = await open_(**LONG_LEASE)
    port = free_port(HOST)
    async with usual_files():
        api, _ = await asyncio.gather(stack.start_api(port), stack.start())
    async with listening(stack, port, 3) as readers, await stack.api_client(port) as client:
        assert (await client.post("/notes/import", json=NOTES)).is_success
        await ask(client, 1)
        before = resident_mib(api.popen.pid)
        async with holding(port, [HOST], IDLE) as idle:
            await eventually(lambda: closed_at_least(idle, IDLE - PER_ADDRESS))
            await ask(client, 3)
        async with holding(port, ADDRESSES, IDLE // len(ADDRESSES)) as idle:
            async with holding(port, ADDRESSES[:1], DRIPPING) as slow:
                dripping = asyncio.create_task(drip(slow))
                await ask(client, 3)
                async with await stack.api_client(port) as newcomer:
                    await ask(newcomer, 3)
                grown = resident_mib(api.popen.pid) - before
                await asyncio.wait_for(dripping, TIMEOUT_SECONDS)
            await eventually(lambda: closed_at_least(idle, IDLE))
        await stack.settle()
        expected = await wait_for_events(stack, readers)
        for reader in readers:
            assert reader.received == expected, "and no stream was cut"
        assert grown < MAX_GROWTH_MIB

        fault = (
            f"{IDLE:,} idle connections of 1 address and of {len(ADDRESSES)}, {DRIPPING} that drip,"
            f" API grown by {grown:.0f} MiB"
        )
        await holds(stack, fault, runs=2)


async def closed_at_least(holders: list[Holder], count: int) -> bool:
    return sum(holder.closed for holder in holders) >= count


async def ask(client: httpx.AsyncClient, count: int) -> None:
    for _ in range(count):
        assert (await client.post("/ai/chat", json=QUESTION)).status_code == 200


@pytest.mark.slow_fault
async def test_six_hundred_posts_at_once_with_a_good_token(open_, holds, remark):
    """Each over a connection of its own, from one address. A 503 is retried."""
    stack = await open_(**LONG_LEASE)
    port = free_port(HOST)
    await asyncio.gather(stack.start_api(port), stack.start())
    statuses: Counter[int] = Counter()
    token = await stack.token()

    async def post() -> None:
        async with httpx.AsyncClient(trust_env=False, timeout=60) as client:
            while statuses[503] < 10 * POSTS:
                reply = await client.post(
                    f"http://{HOST}:{port}/qa-evaluations",
                    json=ANSWER,
                    headers={"Authorization": f"Bearer {token}"},
                )
                statuses[reply.status_code] += 1
                if reply.status_code != 503:
                    return
                await asyncio.sleep(float(reply.headers["Retry-After"]))

    await asyncio.gather(*(post() for _ in range(POSTS)))

    tally = await holds(stack, f"{POSTS} posts at once over a connection each")
    remark(f"{POSTS} posts at once over a connection each: replies by status {dict(statuses)}.")
    assert tally.answers == POSTS


@pytest.mark.slow_fault
async def test_wrong_tokens_from_the_address_of_everybody(open_, holds):
    """Over the limit, and again after the API has started anew, which remembers no token."""
    stack = await open_(**LONG_LEASE)
    port = free_port(HOST)
    api, _ = await asyncio.gather(stack.start_api(port), stack.start())
    for _ in range(2):
        statuses = await guess(port, 100)
        assert statuses[-1] == 429
        async with await stack.api_client(port) as fresh:
            assert (await fresh.post("/notes/import", json=NOTES)).is_success
            await asyncio.gather(guess(port, 20), ask(fresh, 5))
        assert await login(stack, port) == 303
        api.kill()
        api = await stack.start_api(port)

    await holds(stack, "100 wrong tokens a minute from everybody's address, API restarted", runs=2)


async def guess(port: int, count: int) -> list[int]:
    """The replies to so many wrong tokens, a different one each time."""
    async with httpx.AsyncClient(base_url=f"http://{HOST}:{port}", trust_env=False) as client:
        return [
            (await client.get("/notes", headers={"Authorization": f"Bearer sqa_{n}"})).status_code
            for n in range(count)
        ]


async def login(stack: Stack, port: int) -> int:
    async with stack.world.sessions.begin() as session:
        code = await create_login_code(session, await ensure_workspace(session))
    async with httpx.AsyncClient(base_url=f"http://{HOST}:{port}", trust_env=False) as client:
        return (await client.get("/login", params={"code": code})).status_code
