"""What dispatchers read of the database for Prometheus, and the statements of the runbook."""

import re
from pathlib import Path

from prometheus_client import generate_latest

from app.platform.db.pool import create_pool
from app.platform.jobs.store import JobStore
from app.platform.metrics import REGISTRY
from cases import for_each
from verdict_world import World, settings, store_answers
from worker.database_metrics import DatabaseFigures

OPERATIONS = Path(__file__).parents[3] / "docs" / "operations.md"


async def shown(world: World, redis_url: str) -> dict[str, float]:
    figures = DatabaseFigures(world.pool, settings(redis_url=redis_url))
    try:
        families = await figures.read()
    finally:
        await figures.aclose()
    return {
        " ".join([sample.name, *sample.labels.values()]): sample.value
        for family in families
        for sample in family.samples
    }


async def test_backlogs_of_all_workspaces_are_figures(world, redis_url):
    await store_answers(world, 2)
    await store_answers(world, 1, workspace="another")
    await world.rows("UPDATE qa_evaluations SET run_at = now() - interval '1 minute'")
    [row, *_] = await world.rows("SELECT id FROM workspaces")
    await JobStore(world.pool, settings()).enqueue([row["id"]], "embed", {}, "key")

    figures = await shown(world, redis_url)

    assert figures["searchqa_database_up"] == 1
    assert figures["searchqa_due_rows live offline:rules"] == 3
    assert figures["searchqa_oldest_due_seconds live offline:rules"] >= 60
    assert figures["searchqa_running_rows live offline:rules"] == 0
    assert figures["searchqa_jobs embed queued"] == 1
    assert figures["searchqa_webhook_deliveries_due"] == 0
    assert 0 < figures["searchqa_database_connections"] < 10_000
    assert figures["searchqa_database_size_bytes"] > 0


async def test_a_database_that_is_away_is_a_figure(redis_url):
    pool = create_pool("postgresql://nobody@127.0.0.1:1/nothing")
    figures = DatabaseFigures(pool, settings(redis_url=redis_url))
    try:
        [family] = [one for one in await figures.read() if one.name == "searchqa_database_up"]
    finally:
        await figures.aclose()

    assert [sample.value for sample in family.samples] == [0]


async def test_nothing_of_a_workspace_is_a_label(world):
    await store_answers(world, 1, question="비밀 질문")
    text = generate_latest(REGISTRY).decode()
    [workspace] = await world.rows("SELECT id FROM workspaces")

    assert "searchqa_answers_total" in text
    assert "비밀" not in text
    assert str(workspace["id"]) not in text


_STATEMENTS = re.findall(r"```sql\n(.*?)```", OPERATIONS.read_text(), re.DOTALL) + re.findall(
    r"`(SELECT (?!pg_terminate)[^`]*;)`", OPERATIONS.read_text()
)


@for_each("statement", _STATEMENTS)
async def test_statements_of_the_runbook_can_be_run(world, statement):
    await world.rows(statement.replace("%", "%%"))
