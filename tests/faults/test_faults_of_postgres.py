"""The database crashes while verdicts are being written."""

import psycopg
import pytest
from harness import LONG_LEASE, Stack, open_stack
from victims import Postgres, is_back

from cases import eventually
from judge_replies import Gate

ANSWERS = 20
# Longer than the lease of PATIENT.
DOWN = 17.0


@pytest.mark.slow_fault
async def test_postgres_crashes_in_mid_record(postgres, new_folder, holds):
    async with open_stack(new_folder, postgres.url, **LONG_LEASE) as stack:
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


@pytest.mark.slow_fault
async def test_postgres_is_away_for_longer_than_a_lease(new_folder, holds):
    """The replies come while it is away. Either of two workers could take the other's rows."""
    server = Postgres(new_folder.with_name(f"{new_folder.name}-pg"))
    async with server.running(down=DOWN), open_stack(new_folder, server.url, **LONG_LEASE) as stack:
        stack.judge.default = gate = Gate()
        await stack.start(workers=2, dispatchers=2)
        await stack.answer(ANSWERS)
        await stack.judge.until_in_flight(2 * ANSWERS)
        server.cut_down()
        gate.open.set()
        await eventually(lambda: is_back(stack.world.pool), within=3 * DOWN)

        await holds(stack, f"PostgreSQL away for {DOWN:g} s, past all leases, with 20 replies held")

        assert stack.judge.count == 2 * ANSWERS, "nothing is paid for twice"
        rows = await stack.world.rows("SELECT DISTINCT attempt, crashes, tries FROM qa_evaluations")
        assert rows == [{"attempt": 1, "crashes": 0, "tries": 0}]
