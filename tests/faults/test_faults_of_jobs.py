"""Workers that are killed, frozen or stopped in the middle of a job."""

import asyncio
import os
import uuid
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from harness import Stack
from victims import Process

from app.operations.embedded import parts
from app.operations.embedded.supervisor import Part
from app.platform.settings import Settings
from cases import eventually
from run_rows import job, put

KINDS = Path(__file__).with_name("job_kinds")
TO, WAIT_AT = 6, 3
# Long enough for a busy machine: the lease of a job is prolonged three times in it.
LEASE: dict[str, Any] = {"job_lease": 3}


def counting_worker(number: str, settings: Settings, environment: Mapping[str, str]) -> Part:
    """`app.operations.embedded.parts.bulk_worker`, which also counts."""
    path = os.pathsep.join([str(KINDS), environment.get("PYTHONPATH", "")])
    part = parts.bulk_worker(settings, {**environment, "PYTHONPATH": path})
    command = [
        "counting_worker" if word == "worker" else word.replace("bulk@", f"bulk-{number}@")
        for word in part.program.command
    ]
    program = replace(part.program, command=command)
    return replace(part, name=f"worker-{number}", program=program)


async def start(stack: Stack) -> Process:
    (worker,) = await stack.start(dispatchers=0, worker=counting_worker)
    return worker


async def put_count(stack: Stack) -> uuid.UUID:
    return await put(stack.world, "count", to=TO, wait_at=WAIT_AT)


async def is_at(stack: Stack, id_: uuid.UUID, done: int) -> bool:
    return (await job(stack.world, id_))["done"] == done


async def has_ended(stack: Stack, id_: uuid.UUID) -> bool:
    return (await job(stack.world, id_))["finished_at"] is not None


async def go_on(stack: Stack) -> None:
    await stack.world.rows(
        "INSERT INTO notebooks (id, workspace_id, name)"
        " SELECT gen_random_uuid(), id, 'go on' FROM workspaces"
    )


async def counted(stack: Stack) -> list[str]:
    rows = await stack.world.rows("SELECT name FROM notebooks WHERE name <> 'go on' ORDER BY name")
    return [row["name"] for row in rows]


async def finishes(stack: Stack, id_: uuid.UUID) -> dict[str, Any]:
    """The job, after it has ended; its work was done once."""
    await eventually(lambda: has_ended(stack, id_))
    assert await counted(stack) == [str(number) for number in range(1, TO + 1)]
    assert stack.orphans() == set()
    return await job(stack.world, id_)


@pytest.mark.slow_fault
async def test_killed_in_the_middle_of_a_job(open_, remark):
    stack = await open_(**LEASE)
    await stack.start(workers=0)
    killed = await start(stack)
    id_ = await put_count(stack)
    await eventually(lambda: is_at(stack, id_, WAIT_AT))
    killed.kill()
    await start(stack)
    await go_on(stack)

    row = await finishes(stack, id_)

    assert (row["status"], row["attempt"], row["crashes"]) == ("succeeded", 2, 1)
    remark("A job whose worker was killed in the middle was ended by another, each step done once.")


@pytest.mark.slow_fault
async def test_a_frozen_worker_writes_nothing_when_it_wakes(open_):
    stack = await open_(**LEASE)
    await stack.start(workers=0)
    zombie = await start(stack)
    id_ = await put_count(stack)
    await eventually(lambda: is_at(stack, id_, WAIT_AT))
    zombie.freeze()
    await start(stack)
    await go_on(stack)
    await eventually(lambda: has_ended(stack, id_))
    before = await job(stack.world, id_)
    zombie.thaw()
    await zombie.logged("attempt 1 is not held any more")

    assert await finishes(stack, id_) == before
    assert (before["attempt"], before["crashes"]) == (2, 1)


async def test_stopped_in_the_middle_of_a_job(open_):
    stack = await open_()
    await stack.start(workers=0)
    stopped = await start(stack)
    id_ = await put_count(stack)
    await eventually(lambda: is_at(stack, id_, WAIT_AT))
    await stopped.stop()
    given_back = await job(stack.world, id_)
    await start(stack)
    await go_on(stack)

    row = await finishes(stack, id_)

    assert given_back["status"] == "queued", "it does not wait for its lease"
    assert (row["status"], row["attempt"], row["crashes"]) == ("succeeded", 2, 0)


async def test_a_message_for_a_job_is_lost(open_):
    stack = await open_()
    await stack.start(workers=0)
    id_ = await put_count(stack)
    await go_on(stack)
    await eventually(lambda: is_published(stack, id_))
    await asyncio.to_thread(stack.redis.client.flushall)
    await start(stack)

    assert (await finishes(stack, id_))["status"] == "succeeded"


async def is_published(stack: Stack, id_: uuid.UUID) -> bool:
    return (await job(stack.world, id_))["enqueued_at"] is not None
