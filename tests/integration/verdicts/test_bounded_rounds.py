"""What the dispatcher's rounds read does not grow with what waits: rows are counted, not time."""

from collections.abc import Callable, Mapping
from typing import Any

import psycopg
import pytest

from app.verdicts.lifecycle.parking import RECHECK
from app.verdicts.lifecycle.queries import FALL_BACK, TAKE_DUE
from verdict_world import World, store_answers

pytestmark = pytest.mark.slow

ROWS = 5_000
LIMIT = 20
DOWN = "openai:down"
# How each database comes by its statistics: with the rows, or long before there were any.
Statistics = Callable[[World], None]


def up_to_date(world: World) -> None:
    with psycopg.connect(world.url, autocommit=True) as connection:
        connection.execute("VACUUM ANALYZE qa_evaluations")


def of_an_empty_table(world: World) -> None:
    """None: autovacuum has not come by."""


@pytest.fixture(params=[up_to_date, of_an_empty_table])
def statistics(request: pytest.FixtureRequest) -> Statistics:
    return request.param


async def store_many_evaluations(world: World, **columns: str) -> None:
    """Thousands of evaluations like a fresh one but for these columns, each as SQL."""
    (new,) = await store_answers(world, 1)
    changed = ", ".join(f"{name} = {value}" for name, value in ({"tries": "0"} | columns).items())
    with psycopg.connect(world.url, autocommit=True) as connection:
        connection.execute("ALTER TABLE qa_evaluations SET (autovacuum_enabled = false)")
        connection.execute(
            "CREATE TEMP TABLE made AS SELECT e.* FROM qa_evaluations e, generate_series(1, %s)"
            " WHERE e.id = %s",
            [ROWS, new.evaluation_id],
        )
        connection.execute("CREATE TEMP TABLE answers AS SELECT gen_random_uuid() AS id FROM made")
        connection.execute(
            "INSERT INTO qa_answers SELECT (jsonb_populate_record(a,"
            " jsonb_build_object('id', n.id, 'idempotency_key', NULL))).*"
            " FROM qa_answers a, answers n WHERE a.id = %s",
            [new.answer_id],
        )
        connection.execute(
            "WITH numbered AS (SELECT id, row_number() OVER () FROM answers), places AS"
            " (SELECT ctid, row_number() OVER () FROM made)"
            " UPDATE made m SET id = gen_random_uuid(), answer_id = n.id FROM numbered n"
            " JOIN places p USING (row_number) WHERE m.ctid = p.ctid"
        )
        connection.execute(f"UPDATE made SET {changed}".encode())
        connection.execute("INSERT INTO qa_evaluations SELECT * FROM made")
        connection.execute(b"UPDATE qa_evaluations SET run_at = now() - interval '1 s'")


def rows_read(world: World, query: bytes, given: Mapping[str, object]) -> tuple[int, int]:
    """How many rows the statement reads from tables, and how many it changes or gives."""
    with psycopg.connect(world.url) as connection:
        found = connection.execute(b"EXPLAIN (ANALYZE, FORMAT JSON) " + query, given)
        row = found.fetchone()
    top = row[0][0]["Plan"]
    read = 0
    nodes: list[dict[str, Any]] = [top]
    while nodes:
        node = nodes.pop()
        nodes += node.get("Plans", [])
        if "Relation Name" in node and "Scan" in node["Node Type"]:
            left_out = sum(node.get(f"Rows Removed by {by}", 0) for by in ("Filter", "Join Filter"))
            read += (node["Actual Rows"] + left_out) * node["Actual Loops"]
    return round(read), round(top["Actual Rows"])


async def pause(world: World) -> None:
    await world.rows(
        "INSERT INTO judge_pauses (judge_model, reason, probe_at) VALUES (%s, 'HTTP 401', now())",
        DOWN,
    )


class TestWhatIsDue:
    DUE: Mapping[str, object] = {
        "queue": "live",
        "limit": LIMIT,
        "republish": 60,
        "window": 2000,
        "least": LIMIT,
    }

    async def test_is_found_without_reading_rows_of_a_paused_judge(self, world, statistics):
        await store_many_evaluations(world, judge_model=f"'{DOWN}'")
        await pause(world)
        statistics(world)

        read, due = rows_read(world, TAKE_DUE, self.DUE)

        assert due == 1, "that of the other judge"
        assert read < 50
        await world.lifecycle.probe_paused()
        assert rows_read(world, TAKE_DUE, self.DUE)[1] == 1, "the one that is to try it"

    async def test_is_found_without_reading_rows_of_tomorrow(self, world, statistics):
        await store_many_evaluations(world)
        await world.rows("UPDATE qa_evaluations SET run_at = now() + interval '1 day'")
        statistics(world)
        assert rows_read(world, TAKE_DUE, self.DUE)[0] < 50

    async def test_is_taken_a_batch_at_a_time(self, world, statistics):
        await store_many_evaluations(world)
        statistics(world)
        read, due = rows_read(world, TAKE_DUE, self.DUE)
        assert due == LIMIT
        assert read < 5 * LIMIT


async def test_rows_without_a_possible_fallback_are_not_read(world, statistics):
    await store_many_evaluations(world, judge_model=f"'{DOWN}'")
    await pause(world)
    statistics(world)
    given = {"judge_model": DOWN, "judge_fallback": "rules", "limit": LIMIT}
    read, _ = rows_read(world, FALL_BACK, given)
    assert read <= 2, "the pause, once for the chain and once for the rules"


class TestDegradedVerdicts:
    ASKED: Mapping[str, object] = {
        "limit": LIMIT,
        "pause": 300,
        "lately": 600,
        "judge_model": DOWN,
        "rules": "offline:rules",
    }

    @staticmethod
    async def degraded(world: World) -> None:
        await store_many_evaluations(
            world,
            judge_model=f"'{DOWN}'",
            judge_key=f"'search_qa/{DOWN}/1/degraded'",
            status="'succeeded'",
            degraded="true",
            error="'transient: HTTP 503'",
            finished_at="now() - interval '1 h'",
            recheck_after="now() - interval '1 h' - (hashtext(id::text) & 1023) * interval '1 s'",
        )

    async def test_few_rows_are_read_while_no_judge_has_recovered(self, world, statistics):
        await self.degraded(world)
        statistics(world)
        read, found = rows_read(world, RECHECK, self.ASKED)
        assert found == 1, "the one that the judge is tried with"
        assert read < 50

    async def test_are_taken_a_batch_at_a_time_and_once_each(self, world, statistics):
        await self.degraded(world)
        await world.rows(
            "UPDATE qa_evaluations SET judge_model = %s, status = 'succeeded', finished_at = now()"
            " WHERE status = 'queued'",
            DOWN,
        )
        statistics(world)
        for _ in range(2):
            read, found = rows_read(world, RECHECK, self.ASKED)
            assert found == LIMIT
            assert read < 10 * LIMIT
        rows = await world.rows("SELECT id FROM qa_evaluations WHERE recheck_after IS NOT NULL")
        assert len(rows) == ROWS - 2 * LIMIT
