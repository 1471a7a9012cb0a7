"""What is due and what is being judged, by queue and judge, of all workspaces."""

import pytest

from app.platform.broker import Queue
from app.verdicts.lifecycle.queries import Backlog, read_backlog
from verdict_world import store_answers


async def test_due_and_running_rows_are_counted_by_queue_and_judge(world):
    await store_answers(world, 2)
    await store_answers(world, 1, workspace="another")
    [held, given_up] = await store_answers(world, 2, workspace="another")
    leases = await world.lifecycle.claim([held.evaluation_id, given_up.evaluation_id])
    assert len(leases) == 2
    await world.expire_lease(given_up.evaluation_id)
    [later, other] = await store_answers(world, 2, workspace="a third")
    await world.rows("UPDATE qa_evaluations SET run_at = now() WHERE status = 'queued'")
    await world.rows(
        "UPDATE qa_evaluations SET run_at = now() - interval '90 seconds'"
        " WHERE id = (SELECT id FROM qa_evaluations WHERE status = 'queued' ORDER BY id LIMIT 1)"
    )
    await world.rows(
        "UPDATE qa_evaluations SET run_at = now() + interval '1 hour' WHERE id = %s",
        later.evaluation_id,
    )
    await world.rows(
        "UPDATE qa_evaluations SET queue = 'bulk', judge_model = 'openai:x' WHERE id = %s",
        other.evaluation_id,
    )
    await world.rows(
        "INSERT INTO judge_pauses (judge_model, kind, reason, probe_at)"
        " VALUES ('openai:x', 'failing', 'timeout', now())"
    )

    bulk, live = await read_backlog(world.pool)

    assert live.oldest_seconds == pytest.approx(90, abs=20)
    assert live == Backlog(Queue.LIVE, "offline:rules", 3, live.oldest_seconds, 2, 1, None)
    assert bulk == Backlog(Queue.BULK, "openai:x", 1, bulk.oldest_seconds, 0, 0, "failing")


async def test_nothing_waits_in_an_empty_database(world):
    assert await read_backlog(world.pool) == []
