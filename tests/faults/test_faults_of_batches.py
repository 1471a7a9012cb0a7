"""Dispatchers and workers that are killed at each step of a batch, and a host that is lost with
one."""

import os
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from harness import Stack
from hosts import Host, Network

import batch_deaths
from app.operations.embedded import parts
from app.operations.embedded.supervisor import Part
from app.platform.settings import Settings
from batch_deaths import COLLECTING, STEPS
from batch_world import all_ended, judge_says, rows_for_batches
from cases import eventually
from stub_batches import Plan, StubBatches
from stub_server import hang

ROWS = 5
JUDGE = "openai:stub"
SUPPORT = Path(batch_deaths.__file__).parent
KINDS = Path(__file__).with_name("job_kinds")
# Long enough for a busy machine, where a process loads its Korean model in the job.
TIMING: dict[str, Any] = {
    "job_lease": 10,
    "batch_collect_seconds": 0.2,
    "batch_poll_seconds": 0.2,
    "judge_model": JUDGE,
}


def dying(part: Part, program: str, step: str) -> Part:
    """The part, of which the process kills itself at the step."""
    environment = dict(part.program.environment or {})
    path = [str(KINDS), str(SUPPORT), environment.get("PYTHONPATH", "")]
    environment |= {"PYTHONPATH": os.pathsep.join(path), "BATCH_STEP": step}
    command = list(part.program.command)
    command.insert(command.index(program), "dying")
    return replace(part, program=replace(part.program, command=command, environment=environment))


def dispatcher(step: str, environment: Mapping[str, str]) -> Part:
    return dying(parts.dispatcher(environment), "worker.dispatcher", step)


def worker(step: str, _: str, settings: Settings, environment: Mapping[str, str]) -> Part:
    return dying(parts.bulk_worker(settings, environment), "worker", step)


def bulk_worker(_: str, settings: Settings, environment: Mapping[str, str]) -> Part:
    return parts.bulk_worker(settings, environment)


def on(host: Host) -> Callable[..., Part]:
    """Makes bulk workers that run there."""
    make = host.runs(parts.bulk_worker)

    def made(_: str, settings: Settings, environment: Mapping[str, str]) -> Part:
        return make(settings, environment)

    return made


async def dies(stack: Stack, step: str, **given: Any) -> None:
    """Starts a process that is killed at the step, and waits for that. Its job is given to the
    next one as if it were the first that died at it."""
    (process,) = await stack.start(**given)
    await process.killed_itself()
    await stack.world.rows("UPDATE jobs SET crashes = 0")


@pytest.mark.slow_fault
async def test_killed_at_each_step_of_a_batch(open_, holds, remark):
    stack = await open_(**TIMING)
    batches = stack.judge.batches = StubBatches(content=judge_says)
    for degree in range(90, 90 + ROWS):
        answer = f"변성은 {degree}도에서 합니다. [노트 1]"
        await rows_for_batches(stack.world, 1, JUDGE, answer=answer)

    for step in COLLECTING:
        await dies(stack, step, workers=0, dispatcher=partial(dispatcher, step))
    await stack.start(workers=0)
    for step in STEPS[len(COLLECTING) :]:
        await dies(stack, step, dispatchers=0, worker=partial(worker, step))
    await stack.start(dispatchers=0, worker=bulk_worker)
    await stack.settle()
    (batch,) = await all_ended(stack.world)

    tally = await holds(stack, "killed at each step of a batch", runs=len(STEPS))
    found = batches.stats()
    assert (tally.verdicts, tally.degraded, tally.calls) == (ROWS, 0, 0)
    assert (batch["state"], batch["stored"]) == ("ended", ROWS)
    assert (found["submitted"], found["submitted_twice"]) == (ROWS, 0)
    assert (found["paid"], found["paid_twice"], found["prompts_paid_twice"]) == (ROWS, 0, 0)
    remark(
        f"A batch of {ROWS} answers whose process was killed at {len(STEPS)} steps was handed in"
        " once and paid for once; each answer got its verdict from it."
    )


@pytest.mark.slow_fault
async def test_the_host_that_works_on_a_batch_is_gone_for_good(open_, holds, remark):
    """Nobody is told: its connections and what it holds time out, and another host collects what
    the provider has worked out meanwhile."""
    stack = await open_(**TIMING)
    batches = stack.judge.batches = StubBatches(Plan(polls=None), content=judge_says)
    await rows_for_batches(stack.world, ROWS, JUDGE)
    async with AsyncExitStack() as opened:
        network = Network(opened, "servers", "first", "second")
        await network.serve(stack, network.hosts["servers"])
        # It waits for the provider when its host is lost, with the batch in its hands.
        batches.script("status", hang())
        first, _ = await stack.start(worker=on(network.hosts["first"]))
        await eventually(lambda: batches.requests["status"] > 0)
        network.hosts["first"].cut()
        await stack.start(dispatchers=0, worker=on(network.hosts["second"]))
        batches.finish()
        await stack.settle()
        (batch,) = await all_ended(stack.world)

        tally = await holds(stack, "the host that works on a batch is gone for good")
        assert first.alive, "it does not know"
    found = batches.stats()
    assert (tally.verdicts, tally.degraded, tally.calls) == (ROWS, 0, 0)
    assert (batch["state"], batch["stored"]) == ("ended", ROWS)
    assert (found["submitted"], found["submitted_twice"]) == (ROWS, 0)
    assert (found["paid"], found["paid_twice"], found["prompts_paid_twice"]) == (ROWS, 0, 0)
    remark(f"A batch of {ROWS} answers whose host was lost was read and paid for once by another.")
