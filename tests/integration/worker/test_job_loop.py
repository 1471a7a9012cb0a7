"""The loop that does jobs, against a real database."""

import asyncio
import threading
import uuid
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from typing import Any

import psycopg
import pytest
from sqlalchemy import text

from app.ai_router.jobs import ModelJobContext, ModelJobHandler
from app.platform.errors import (
    ConfigurationError,
    NotFound,
    PermanentProviderError,
    SearchQAError,
    TransientProviderError,
)
from app.platform.jobs.job import Deferred, Job
from app.platform.jobs.service import cancel
from app.platform.jobs.store import JobStore
from app.workspaces.service import ensure_workspace
from cases import TIMEOUT_SECONDS, eventually
from run_rows import KIND, end_lease, job, put
from verdict_world import World, settings
from worker.job_loop import JobLoop
from workers import started

ADD_NOTEBOOK = text(
    "INSERT INTO notebooks (id, workspace_id, name) VALUES (:id, :workspace_id, :name)"
)


class Counting:
    """Counts to three once it is let, and remembers who counted."""

    def __init__(self, *, let: bool = True) -> None:
        self.let = let
        self.seen: list[uuid.UUID] = []
        self.at_once = self.most_at_once = 0

    async def __call__(self, job: Job, context: ModelJobContext) -> None:
        self.seen.append(job.id)
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            while not self.let:  # noqa: ASYNC110  told from another thread
                await asyncio.sleep(0.005)
            for done in range(1, 4):
                await context.progress(done, 3)
        finally:
            self.at_once -= 1


Loops = Callable[..., AbstractAsyncContextManager[JobLoop]]


@pytest.fixture
def working(world: World) -> Loops:
    """A running JobLoop over the world's database."""

    @asynccontextmanager
    async def running(
        handler: ModelJobHandler, *, alone: bool = False, **changes: object
    ) -> AsyncIterator[JobLoop]:
        handlers: Mapping[str, ModelJobHandler] = {KIND: handler}
        loop = JobLoop(settings(**changes), world.url, handlers, lambda _: None, alone=alone)
        async with started(loop):
            yield loop

    return running


async def wait_for_status(world: World, id_: uuid.UUID, *statuses: str) -> dict[str, object]:
    """The job, once it has one of the statuses."""
    return await eventually(lambda: job(world, id_), when=lambda found: found["status"] in statuses)


async def test_a_job_is_done_and_reports_its_progress(world, working):
    async with working(Counting()) as loop:
        id_ = await put(world)
        await asyncio.wrap_future(loop.submit([id_]))
        # The loop may have found it by itself when it started.
        row = await wait_for_status(world, id_, "succeeded")

    assert (row["status"], row["done"], row["total"], row["attempt"]) == ("succeeded", 3, 3, 1)
    assert row["finished_at"]


async def test_what_is_due_at_the_start_needs_no_message(world, working):
    ids = [await put(world) for _ in range(5)]

    async with working(counting := Counting(), bulk_in_flight=1):
        for id_ in ids:
            await wait_for_status(world, id_, "succeeded")

    assert counting.seen == ids, "when one ends, the next is taken"


async def test_no_more_are_done_at_once_than_allowed(world, working):
    ids = [await put(world) for _ in range(6)]
    async with working(counting := Counting(let=False), bulk_in_flight=2) as loop:
        await eventually(lambda: counting.at_once == 2)
        async with asyncio.timeout(TIMEOUT_SECONDS):
            await asyncio.wrap_future(loop.submit(ids))  # returns at once, because there is no room
        counting.let = True
        for id_ in ids:
            await wait_for_status(world, id_, "succeeded")

    assert counting.most_at_once == 2
    assert sorted(counting.seen) == ids


async def test_two_processes_do_each_once(world, working):
    one, other = Counting(), Counting()
    async with working(one, bulk_in_flight=3) as first, working(other, bulk_in_flight=3) as second:
        ids = [await put(world) for _ in range(20)]
        for loop in (first, second):
            await asyncio.wrap_future(loop.submit(ids))
        for id_ in ids:
            await wait_for_status(world, id_, "succeeded")

    assert sorted([*one.seen, *other.seen]) == ids


@pytest.mark.parametrize(
    ("error", "status", "message"),
    [
        (TransientProviderError("busy", status=503), "retrying", "transient: busy"),
        (psycopg.OperationalError("gone"), "retrying", "PostgreSQL was away."),
        (PermanentProviderError("too long"), "failed", "permanent: too long"),
        (ConfigurationError("no key"), "failed", "configuration: no key"),
        (NotFound("There is no such answer."), "failed", "There is no such answer."),
        (SearchQAError("of its own"), "failed", "of its own"),
        (KeyError("비밀"), "failed", "Internal error: KeyError; the log of the worker says more."),
        (asyncio.CancelledError(), "failed", "Internal error: RuntimeError; the log of"),
    ],
)
async def test_a_failing_handler(world, working, error, status, message):
    async def fail(job: Job, context: ModelJobContext) -> None:
        raise error

    id_ = await put(world)
    async with working(fail, retry_base=3600, retry_max=3600):
        row = await wait_for_status(world, id_, status)

    assert str(row["error"]).startswith(message)
    assert row["tries"] == (1 if status == "retrying" else 0)


async def test_a_deferred_job_uses_up_no_try(world, working):
    async def wait(_: Job, __: ModelJobContext) -> None:
        raise Deferred("budget_spent", "until midnight.", 3600)

    id_ = await put(world)
    async with working(wait, max_attempts=1):
        row = await wait_for_status(world, id_, "retrying")

    assert (row["tries"], row["error"]) == (0, "budget_spent: until midnight.")
    (due,) = await world.rows("SELECT run_at > now() + interval '59 minutes' AS later FROM jobs")
    assert due["later"]


async def test_the_last_try_fails(world, working):
    async def fail(job: Job, context: ModelJobContext) -> None:
        raise TransientProviderError("busy")

    id_ = await put(world)
    async with working(fail, max_attempts=1):
        row = await wait_for_status(world, id_, "failed")

    assert row["error"] == "transient: busy"


async def test_a_heartbeat_holds_a_job_without_progress(world, working):
    id_ = await put(world)
    async with working(counting := Counting(let=False), job_lease=0.3):
        first = await wait_for_status(world, id_, "running")
        await until_heartbeat(world, id_, first["lease_until"])
        assert await world.jobs.reap() == 0
        counting.let = True
        row = await wait_for_status(world, id_, "succeeded")

    assert (row["attempt"], row["crashes"]) == (1, 0)


async def test_a_job_is_over_though_its_heartbeat_does_not_hear_that_it_is_to_end(
    world, working, monkeypatch
):
    prolonging = threading.Event()

    async def extend(*_: object) -> None:
        prolonging.set()
        with suppress(asyncio.CancelledError):  # as wait_for does until Python 3.12
            await asyncio.Event().wait()

    async def handler(_: Job, __: ModelJobContext) -> None:
        await eventually(prolonging.is_set)

    monkeypatch.setattr(JobStore, "extend", extend)
    id_ = await put(world)
    async with working(handler, job_lease=0.3):
        await wait_for_status(world, id_, "succeeded")


async def until_heartbeat(world: World, id_: uuid.UUID, before: object) -> None:
    await eventually(lambda: job(world, id_), when=lambda found: found["lease_until"] != before)


async def test_a_cancelled_job_stops(world, working):
    id_ = await put(world)
    async with working(counting := Counting(let=False), job_lease=0.3):
        await eventually(lambda: counting.at_once)
        async with world.sessions.begin() as session:
            await cancel(session, await ensure_workspace(session), id_)
        await eventually(lambda: not counting.at_once)

    row = await job(world, id_)
    assert (row["status"], row["done"]) == ("cancelled", 0)


async def test_a_job_whose_lease_was_lost_stops_and_writes_nothing(world, working):
    id_ = await put(world)
    async with working(counting := Counting(let=False), job_lease=0.6, bulk_in_flight=1) as loop:
        await eventually(lambda: counting.at_once)
        await end_lease(world, id_)
        await world.jobs.reap()
        (other,) = await world.jobs.claim([id_], [KIND], 1)
        await eventually(lambda: not counting.at_once)
        await asyncio.to_thread(loop.begin_stop)

    row = await job(world, id_)
    assert (row["status"], row["attempt"], row["done"]) == ("running", other.attempt, 0)


async def test_of_two_that_believe_to_hold_it_one_writes(world, working):
    waiting, go_on = threading.Event(), threading.Event()

    async def add_notebook(job: Job, context: ModelJobContext) -> None:
        if job.attempt == 1:
            waiting.set()
            await eventually(go_on.is_set)
        async with context.writing() as session:
            await session.execute(
                ADD_NOTEBOOK,
                {"id": uuid.uuid4(), "workspace_id": job.workspace_id, "name": str(job.attempt)},
            )

    id_ = await put(world)
    async with working(add_notebook):
        await eventually(waiting.is_set)
        await end_lease(world, id_)
        await world.jobs.reap()
        go_on.set()
        await wait_for_status(world, id_, "succeeded")

    assert await world.rows("SELECT name FROM notebooks") == [{"name": "2"}]


async def test_stopping_gives_jobs_back_and_another_goes_on(world, working):
    ids = [await put(world) for _ in range(3)]
    async with working(counting := Counting(let=False)) as loop:
        await eventually(lambda: counting.at_once == 3)
        loop.begin_stop()
        later = await put(world)
        await world.rows("UPDATE jobs SET enqueued_at = now() WHERE id = %s", later)
        await asyncio.wrap_future(loop.submit([later]))
    assert (await job(world, later))["enqueued_at"] is None, "another process has it at once"
    rows = [await job(world, id_) for id_ in ids]
    assert {(row["status"], row["crashes"], row["tries"]) for row in rows} == {("queued", 0, 0)}

    async with working(Counting()):
        for id_ in ids:
            assert (await wait_for_status(world, id_, "succeeded"))["attempt"] == 2


async def test_released_rows_are_not_claimed_by_the_same_process(world, working, monkeypatch):
    """A claim is under way when the process is asked to stop."""
    id_ = await put(world)
    claim_next = JobStore.claim_next

    async with working(counting := Counting(let=False), bulk_in_flight=2) as loop:
        await eventually(lambda: counting.at_once)

        async def late(store: JobStore, *given: Any) -> list[Job]:
            loop.begin_stop()
            for _ in range(20):  # time enough to give the job back, if it were not too early
                await store.unpublish([])
            return await claim_next(store, *given)

        monkeypatch.setattr(JobStore, "claim_next", late)
        loop._call(loop._take_next())
        await eventually(lambda: not counting.at_once)

    row = await job(world, id_)
    assert (row["status"], row["attempt"]) == ("queued", 1)


async def test_a_process_of_its_own_does_only_what_it_is_given(world, working):
    given, given_too, other = [await put(world) for _ in range(3)]
    await world.rows("UPDATE jobs SET crashes = 2 WHERE id <> %s", other)

    async with working(Counting(), alone=True) as loop:
        await asyncio.wrap_future(loop.submit([given, given_too]))

    assert (await job(world, given))["status"] == "succeeded"
    assert (await job(world, given_too))["status"] == "queued", "one at a time"
    assert (await job(world, other))["status"] == "queued"
