"""The database crashes while verdicts are being written."""

from pathlib import Path

import psycopg
import pytest
from harness import PATIENT, Stack, open_stack
from victims import Postgres, eventually, is_back

from conftest import Holds

ANSWERS = 20


@pytest.mark.slow_fault
async def test_postgres_crashes_in_mid_record(
    postgres: Postgres, new_folder: Path, holds: Holds
) -> None:
    async with open_stack(new_folder, postgres.url, **PATIENT) as stack:
        worker, dispatcher = await stack.start()
        holder = await psycopg.AsyncConnection.connect(postgres.url)
        await holder.execute("LOCK TABLE qa_scores IN ACCESS EXCLUSIVE MODE")
        await stack.answer(ANSWERS)
        await eventually(lambda: replies(stack, 2 * ANSWERS))
        await postgres.crash()
        await holder.close()
        await eventually(lambda: is_back(stack.world.pool))

        await holds(stack, "PostgreSQL crashed while 20 verdicts were being recorded")

        assert stack.judge.count == 2 * ANSWERS, "nothing is paid for twice"
        assert worker.alive
        assert dispatcher.alive


async def replies(stack: Stack, count: int) -> bool:
    return len(await stack.world.rows("SELECT id FROM judge_calls")) == count
