"""What KEDA asks of the database before it adds workers, by the Helm chart."""

import pytest

from deployment_parts import rendered
from verdict_world import World, store_answers

MODEL = "openai:stub"


@pytest.mark.parametrize(
    ("change", "waits"),
    [
        ("run_at = now() - interval '90 s'", True),
        ("run_at = now() + interval '90 s'", False),
        ("run_at = now() - interval '90 s', queue = 'bulk'", False),
        ("run_at = now() - interval '90 s', status = 'running', lease_until = now()", False),
    ],
)
async def test_reads_how_long_the_oldest_due_row_of_its_queue_waits(world, change, *, waits):
    await store_answers(world)
    await world.rows(f"UPDATE qa_evaluations SET {change}, judge_model = %s", MODEL)

    assert (await oldest_due(world) >= 90) is waits


async def test_leaves_out_judges_that_are_paused(world):
    await store_answers(world)
    await world.rows(
        "UPDATE qa_evaluations SET run_at = now() - interval '90 s', judge_model = %s", MODEL
    )
    await world.rows(
        "INSERT INTO judge_pauses (judge_model, kind, reason, probe_at)"
        " VALUES (%s, 'configuration', 'no key', now())",
        MODEL,
    )

    assert await oldest_due(world) == 0


async def oldest_due(world: World) -> float:
    """Seconds, of the queue live."""
    [query] = [
        trigger["metadata"]["query"]
        for manifest in rendered("everything")
        if manifest["kind"] == "ScaledObject" and manifest["metadata"]["name"].endswith("-live")
        for trigger in manifest["spec"]["triggers"]
    ]
    [row] = await world.rows(query)
    return float(next(iter(row.values())))
