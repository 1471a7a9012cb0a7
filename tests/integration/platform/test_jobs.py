"""The life of a job in the database: put in, claimed, held, ended, taken back."""

import asyncio
import uuid

import pytest

from app.platform.broker import Queue
from app.platform.jobs.job import Job, JobCancelled, JobLost
from app.platform.jobs.service import cancel, enqueue
from app.workspaces.service import ensure_workspace
from run_rows import KIND, end_lease, job, put
from verdict_world import World


async def claim(world: World, id_: uuid.UUID) -> Job | None:
    claimed = await world.jobs.claim([id_], [KIND], 10)
    return claimed[0] if claimed else None


async def held(world: World, id_: uuid.UUID) -> Job:
    claimed = await claim(world, id_)
    assert claimed
    return claimed


async def crash(world: World, id_: uuid.UUID, times: int = 1) -> None:
    for _ in range(times):
        await held(world, id_)
        await end_lease(world, id_)
        assert await world.jobs.reap() == 1


class TestPuttingIn:
    async def test_a_job_waits_to_be_claimed(self, world):
        id_ = await put(world, note_id="n1")

        claimed = await held(world, id_)

        assert (claimed.id, claimed.kind, claimed.payload) == (id_, KIND, {"note_id": "n1"})
        assert (claimed.attempt, claimed.tries) == (1, 0)

    async def test_it_goes_with_the_callers_transaction(self, world):
        async with world.sessions() as session:
            workspace_id = await ensure_workspace(session)
            await enqueue(session, workspace_id, KIND, {})
            await session.rollback()

        assert await world.rows("SELECT id FROM jobs") == []

    async def test_the_same_work_is_put_in_once(self, world):
        id_ = await put(world, dedupe_key="note 1")

        assert await put(world, dedupe_key="note 1") == id_
        claimed = await held(world, id_)
        assert await put(world, dedupe_key="note 1") == id_, "also while it runs"
        others = [
            await put(world, dedupe_key="note 2"),
            await put(world, "embed", dedupe_key="note 1"),
            await put(world, dedupe_key="note 1", workspace="other"),
            await put(world),
            await put(world),
        ]
        assert len({id_, *others}) == 6

        assert await world.jobs.finish(claimed)
        assert await put(world, dedupe_key="note 1") != id_, "what has ended is in nobody's way"

    async def test_two_at_the_same_moment_put_in_one(self, world):
        workspace_id = await world.workspace()
        async with world.sessions.begin() as session:
            first = await enqueue(session, workspace_id, KIND, {}, "note 1")
            second = asyncio.create_task(put(world, dedupe_key="note 1"))
            await asyncio.sleep(0)

        assert await second == first


class TestClaiming:
    async def test_of_two_workers_one_gets_it(self, world):
        ids = [await put(world) for _ in range(10)]

        both = await asyncio.gather(*(world.jobs.claim(ids, [KIND], 10) for _ in range(2)))

        assert sorted(claimed.id for claims in both for claimed in claims) == ids
        assert await world.jobs.claim_next([KIND], 10) == []

    async def test_locked_rows_are_skipped(self, world):
        id_ = await put(world)
        async with world.pool.connection() as other, other.transaction():
            await other.execute("SELECT id FROM jobs FOR UPDATE")

            assert await claim(world, id_) is None
            assert await world.jobs.claim_next([KIND], 10) == []

    async def test_a_kind_that_the_process_does_not_know_is_left_alone(self, world):
        id_ = await put(world, "from_a_newer_version")

        assert await claim(world, id_) is None
        assert await world.jobs.claim_next([KIND], 10) == []
        assert (await job(world, id_))["status"] == "queued"

    async def test_the_longest_waiting_comes_first(self, world):
        ids = [await put(world) for _ in range(3)]
        await world.rows(
            "UPDATE jobs SET run_at = run_at - interval '1 hour' WHERE id = %s", ids[2]
        )

        assert {one.id for one in await world.jobs.claim_next([KIND], 2)} == {ids[2], ids[0]}


class TestHolding:
    async def test_a_heartbeat_prolongs_the_lease_and_reports_progress(self, world):
        claimed = await held(world, await put(world))
        await end_lease(world, claimed.id)
        before = await job(world, claimed.id)

        await world.jobs.extend(claimed, 3, 10)
        await world.jobs.extend(claimed, 4)
        await world.jobs.extend(claimed)

        after = await job(world, claimed.id)
        assert after["lease_until"] > before["lease_until"]
        assert (after["done"], after["total"]) == (4, 10)
        assert await world.jobs.reap() == 0

    async def test_a_job_of_a_dead_worker_is_done_by_another(self, world):
        id_ = await put(world)
        await held(world, id_)
        assert await claim(world, id_) is None, "its lease holds"
        await end_lease(world, id_)
        assert await claim(world, id_) is None, "crashes are counted first"

        assert await world.jobs.reap() == 1

        again = await held(world, id_)
        assert again.attempt == 2
        assert await world.jobs.finish(again)
        row = await job(world, id_)
        assert (row["status"], row["crashes"], row["error"]) == ("succeeded", 1, None)

    async def test_a_stale_attempt_writes_nothing(self, world):
        stale = await held(world, await put(world))
        await end_lease(world, stale.id)
        await world.jobs.reap()
        await held(world, stale.id)
        before = await job(world, stale.id)

        with pytest.raises(JobLost):
            await world.jobs.extend(stale, 5, 10)
        assert not await world.jobs.finish(stale)
        assert not await world.jobs.fail(stale, "no")
        assert not await world.jobs.retry(stale, "no", 0)
        assert not await world.jobs.release(stale)

        assert await job(world, stale.id) == before

    async def test_what_is_gone_is_lost(self, world):
        claimed = await held(world, await put(world))
        await world.rows("DELETE FROM jobs")

        with pytest.raises(JobLost):
            await world.jobs.extend(claimed)


class TestCrashes:
    async def test_after_two_it_goes_to_the_process_of_its_own(self, world):
        id_ = await put(world)
        await crash(world, id_)
        assert await world.jobs.take_due(Queue.ISOLATED, 10) == []
        await crash(world, id_)

        assert await world.jobs.claim_next([KIND], 10) == []
        assert await world.jobs.take_due(Queue.BULK, 10) == []
        assert await world.jobs.take_due(Queue.ISOLATED, 10) == [id_]
        assert await claim(world, id_)

    async def test_after_four_it_is_given_up(self, world):
        id_ = await put(world)
        await crash(world, id_, times=4)

        row = await job(world, id_)
        assert (row["status"], row["crashes"]) == ("failed", 4)
        assert "died or hung 4 times" in row["error"]
        assert row["finished_at"]
        assert await claim(world, id_) is None


class TestEnding:
    async def test_a_retry_waits_by_the_clock_of_the_database(self, world):
        claimed = await held(world, await put(world))

        assert await world.jobs.retry(claimed, "transient: busy", 3600)

        row = await job(world, claimed.id)
        assert (row["status"], row["tries"], row["error"]) == ("retrying", 1, "transient: busy")
        (waits,) = await world.rows("SELECT run_at > now() + interval '59 minutes' AS ok FROM jobs")
        assert waits["ok"]
        assert await claim(world, claimed.id) is None
        assert await world.jobs.take_due(Queue.BULK, 10) == []
        await world.rows("UPDATE jobs SET run_at = now()")
        assert await world.jobs.take_due(Queue.BULK, 10) == [claimed.id]
        assert (await held(world, claimed.id)).tries == 1

    async def test_a_released_job_is_due_at_once(self, world):
        claimed = await held(world, await put(world))

        assert await world.jobs.release(claimed)

        row = await job(world, claimed.id)
        assert (row["status"], row["tries"], row["crashes"]) == ("queued", 0, 0)
        assert await world.jobs.take_due(Queue.BULK, 10) == [claimed.id]

    async def test_an_error_may_hold_what_postgres_cannot(self, world):
        claimed = await held(world, await put(world))

        assert await world.jobs.fail(claimed, "bad \x00 byte")

        assert (await job(world, claimed.id))["error"] == "bad  byte"


class TestCancelling:
    async def cancel(self, world: World, id_: uuid.UUID) -> None:
        async with world.sessions.begin() as session:
            await cancel(session, await ensure_workspace(session), id_)

    async def test_a_waiting_job_is_not_done(self, world):
        id_ = await put(world)

        await self.cancel(world, id_)

        assert await claim(world, id_) is None
        assert await world.jobs.take_due(Queue.BULK, 10) == []
        assert (await job(world, id_))["finished_at"]

    async def test_a_running_one_is_told_at_its_next_heartbeat(self, world):
        claimed = await held(world, await put(world))

        await self.cancel(world, claimed.id)

        with pytest.raises(JobCancelled):
            await world.jobs.extend(claimed, 1, 2)
        assert not await world.jobs.finish(claimed)
        assert (await job(world, claimed.id))["status"] == "cancelled"
        assert await world.jobs.reap() == 0
