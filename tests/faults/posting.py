"""Answers that an application posts, and how long each takes."""

import asyncio
import time
import uuid

import httpx
from harness import ANSWER

# Seconds between answers.
PACE = 0.05


async def post_many(client: httpx.AsyncClient, count: int) -> None:
    """Posts answers one by one."""
    for _ in range(count):
        await post(client)


async def post_steadily(client: httpx.AsyncClient, count: int) -> list[float]:
    """Posts an answer every PACE seconds; the seconds each took to be acknowledged."""
    async with asyncio.TaskGroup() as posting:
        tasks = []
        for _ in range(count):
            tasks.append(posting.create_task(post(client)))
            await asyncio.sleep(PACE)
    return [task.result() for task in tasks]


async def post(client: httpx.AsyncClient) -> float:
    began = time.monotonic()
    reply = await client.post(
        "/qa-evaluations", json=ANSWER, headers={"Idempotency-Key": uuid.uuid4().hex}
    )
    assert reply.status_code == 202, reply.text
    return time.monotonic() - began
