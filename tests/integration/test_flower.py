"""Flower without any worker, as right after a start: it shows the queues all the same."""

import asyncio
import os
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager

import httpx
import pytest
import redis

from app.operations.embedded import parts
from app.operations.embedded.ports import free_port
from app.operations.embedded.supervisor import Part
from verdict_world import settings

AUTH = ("operator", "password")
# As while the password changes.
NEW_AUTH = ("operator", "new")


@pytest.fixture
async def flower(redis_url: str) -> AsyncIterator[httpx.AsyncClient]:
    port = free_port("127.0.0.1")
    environment = {**os.environ, "REDIS_URL": redis_url}
    logins = ",".join(map(":".join, (NEW_AUTH, AUTH)))
    part = parts.flower(settings(flower_port=port), logins, environment)
    assert part.ready
    with running(part):
        async with asyncio.timeout(60):
            while not await part.ready():  # noqa: ASYNC110  another process
                await asyncio.sleep(0.05)
        url = f"http://127.0.0.1:{port}"
        async with httpx.AsyncClient(base_url=url, auth=AUTH, trust_env=False) as client:
            yield client


@contextmanager
def running(part: Part) -> Iterator[None]:
    process = subprocess.Popen(part.program.command, env=part.program.environment)
    try:
        yield
    finally:
        process.terminate()
        process.wait(10)


async def test_it_tells_how_long_the_queues_are(flower: httpx.AsyncClient, redis_url: str) -> None:
    with redis.Redis.from_url(redis_url) as client:
        client.lpush("bulk", "one", "two")

    reply = await flower.get("/api/queues/length")

    assert reply.status_code == 200, reply.text
    assert reply.json()["active_queues"] == [
        {"name": "bulk", "messages": 2},
        {"name": "isolated", "messages": 0},
        {"name": "live", "messages": 0},
    ]
    page = await flower.get("/broker")
    assert page.status_code == 200
    assert "isolated" in page.text


async def test_two_passwords_open_it_while_one_replaces_the_other(
    flower: httpx.AsyncClient,
) -> None:
    for auth, status in ((AUTH, 200), (NEW_AUTH, 200), (("operator", "wrong"), 401)):
        assert (await flower.get("/api/queues/length", auth=auth)).status_code == status
