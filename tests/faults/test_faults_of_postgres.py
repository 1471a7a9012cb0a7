"""The database crashes while verdicts are being written."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import psycopg
import pytest
from harness import PATIENT, Stack, open_stack
from psycopg_pool import PoolTimeout
from victims import eventually

from app.db.migrate import migrate
from app.embedded.postgres import EmbeddedPostgres
from app.embedded.supervisor import RestartPolicy, Supervisor
from conftest import Holds

ANSWERS = 20


@pytest.fixture
async def postgres(new_folder: Path) -> AsyncIterator[EmbeddedPostgres]:
    """A server of this test's own, started again when it crashes."""
    server = EmbeddedPostgres(new_folder.with_name(f"{new_folder.name}-pg"))
    await server.prepare()
    supervisor = Supervisor(lambda *_: None, RestartPolicy(first_delay=0.5))
    try:
        await supervisor.start([server.part()])
        await server.create_database()
        await asyncio.to_thread(migrate, server.database_url)
        yield server
    finally:
        await supervisor.stop()


@pytest.mark.slow_fault
async def test_postgres_crashes_in_mid_record(
    postgres: EmbeddedPostgres, new_folder: Path, holds: Holds
) -> None:
    async with open_stack(new_folder, postgres.database_url, **PATIENT) as stack:
        worker, dispatcher = await stack.start()
        holder = await psycopg.AsyncConnection.connect(postgres.database_url)
        await holder.execute("LOCK TABLE qa_scores IN ACCESS EXCLUSIVE MODE")
        await stack.answer(ANSWERS)
        await eventually(lambda: replies(stack, 2 * ANSWERS))
        crash(new_folder.with_name(f"{new_folder.name}-pg") / "postgres")
        await holder.close()
        await eventually(lambda: is_back(stack))

        await holds(stack, "PostgreSQL crashed while 20 verdicts were being recorded")

        assert stack.judge.count == 2 * ANSWERS, "nothing is paid for twice"
        assert worker.alive
        assert dispatcher.alive


async def replies(stack: Stack, count: int) -> bool:
    return len(await stack.world.rows("SELECT id FROM judge_calls")) == count


def crash(data: Path) -> None:
    """An immediate stop: no checkpoint, every session cut; the next start recovers from the log."""
    os.kill(int((data / "postmaster.pid").read_text().splitlines()[0]), signal.SIGQUIT)


async def is_back(stack: Stack) -> bool:
    try:
        await stack.world.pool.check()
        return bool(await stack.world.rows("SELECT 1"))
    except (psycopg.OperationalError, PoolTimeout):
        return False
