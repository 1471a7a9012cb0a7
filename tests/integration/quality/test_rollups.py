"""Rollups equal single rows after any change and beside concurrent writers."""

import asyncio
import dataclasses
import datetime as dt
import random
import uuid
from collections.abc import Sequence
from typing import Any

import psycopg
import pytest

from analytics_rows import JUDGE, put, put_answer, put_verdict
from app.platform.db.retention import add_month, drop_months
from app.quality.analytics import rollup_queries
from app.quality.analytics.changes import DAYS
from app.quality.analytics.queries import adds_figures, named_queries, statement
from app.quality.analytics.rollup_queries import Rollups
from app.quality.analytics.sources import Filters, can_use_rollups
from cases import TIMEOUT_SECONDS
from verdict_world import World

FIRST = dt.datetime(2026, 3, 1, tzinfo=dt.UTC)
JUDGES = (JUDGE, "offline:rules", "local:bge")
ZONES = ("UTC", "Asia/Seoul")
_NAMED = {name: each.sql for name, each in named_queries().items() if adds_figures(each.sql)}
ADDING = {**_NAMED, "what changed": DAYS}
ROLLED = "SELECT day FROM analytics.rolled_days ORDER BY day"
_SCORE = """
UPDATE qa_evaluations SET correctness = 0.123456789, utility = 1 WHERE status = 'succeeded' AND id
"""
MARCH = Filters(dt.date(2026, 3, 1), dt.date(2026, 3, 31))


@pytest.fixture
async def here(world: World) -> uuid.UUID:
    return await world.workspace()


async def roll_up(world: World) -> None:
    """All days. Transactions of other tests on the server may hold the first time back."""
    rollups = Rollups(world.pool, ZONES, quiet_seconds=0, slowest=2)
    async with asyncio.timeout(TIMEOUT_SECONDS):
        while True:
            while await rollups.step():
                pass
            if not await world.rows("SELECT day FROM qa_rolled_days WHERE rolled_at IS NULL"):
                return
            await asyncio.sleep(0.01)


async def figures(
    connection: psycopg.AsyncConnection, here: uuid.UUID, filters: Filters, *, rolled: bool
) -> dict[str, Sequence[Any]]:
    found = {}
    for name, template in ADDING.items():
        sql, values = statement(template, filters, here, rolled=rolled)
        found[name] = await (await connection.execute(sql.encode(), values)).fetchall()
    return found


async def compare(world: World, here: uuid.UUID, *periods: Filters) -> None:
    async with await psycopg.AsyncConnection.connect(world.url) as connection:
        for filters in periods:
            assert can_use_rollups(filters, here)
            read = await figures(connection, here, filters, rolled=True)
            assert read == await figures(connection, here, filters, rolled=False), filters


class Changes:
    """Answers of six days, and changes to them at random."""

    def __init__(self, world: World, here: uuid.UUID, seed: int) -> None:
        self.world, self.here = world, here
        self.chance = random.Random(seed)

    async def begin(self) -> None:
        notebook = uuid.uuid4()
        await put(self.world, "notebooks", id=notebook, workspace_id=self.here, name="n")
        for n in range(4):
            await put(
                self.world,
                "notes",
                id=uuid.uuid4(),
                workspace_id=self.here,
                notebook_id=notebook,
                source_key=str(n),
                title=f"노트 {n}",
                content_text="",
                content_hash="0" * 64,
                lang="ko",
                tags=[],
            )

    async def answer(self) -> None:
        chance = self.chance
        at = FIRST + dt.timedelta(minutes=chance.randrange(6 * 24 * 60))
        status = chance.choices(["succeeded", "skipped", "failed", "queued"], [8, 1, 1, 1])[0]
        values: dict[str, Any] = {"status": status, "degraded": False}
        if status == "succeeded":
            values |= {
                "correctness": chance.choice([None, round(chance.random(), 3), 2 / 3]),
                "utility": chance.choice([None, chance.random()]),
                "confidence": chance.choice([None, "medium", "low"]),
                "degraded": chance.random() < 0.2,
                "from_cache": chance.random() < 0.2,
                "prompt_version": chance.choice(["1", "2"]),
                "finished_at": at + dt.timedelta(milliseconds=chance.randrange(20)),
                "queue_ms": chance.choice([None, chance.random() * 100]),
                "judge_ms": chance.random() * 1000,
            }
        elif status == "skipped":
            values["reason"] = chance.choice(["no_context", "disabled"])
        elif status == "failed":
            values["error"] = "permanent: no"
        judge = chance.choice(JUDGES)
        answer_id = await put_answer(
            self.world,
            self.here,
            created_at=at,
            lang=chance.choice(["ko", "en"]),
            model=chance.choice([None, "gpt-4o"]),
        )
        await put_verdict(
            self.world,
            self.here,
            answer_id=answer_id,
            judge_model=judge,
            judge_key=f"search_qa/{judge}/1",
            sources=await self._sources() if status == "succeeded" else (),
            claims=chance.choices(["supported", "partly", "unsupported"], k=chance.randrange(3)),
            issues=[("grounding", chance.choice(["", "나", "가"]))] * chance.randrange(3),
            calls=[self._call() for _ in range(chance.randrange(3))],
            **values,
        )
        if chance.random() < 0.5:
            await self._judge_again(answer_id)

    async def _sources(self) -> list[dict[str, Any]]:
        notes = [row["id"] for row in await self.world.rows("SELECT id FROM notes ORDER BY title")]
        given = self.chance.choices([*notes, None], k=3)
        return [
            {
                "note_index": n,
                "note_id": note,
                "title": f"제목 {n}",
                "cited": self.chance.random() < 0.6,
                "quote_found": self.chance.random() < 0.8,
            }
            for n, note in enumerate(given, start=1)
        ]

    def _call(self) -> dict[str, Any]:
        return {
            "cost_usd": self.chance.choice([None, 0.000345]),
            "prompt_tokens": self.chance.choice([None, 1500]),
            "cached_tokens": self.chance.choice([None, 1000]),
            "error": self.chance.choice([None, "malformed: no", "transient: HTTP 503"]),
            "batched": self.chance.random() < 0.3,
        }

    async def _judge_again(self, answer_id: uuid.UUID) -> None:
        judge = self.chance.choice(JUDGES)
        await put_verdict(
            self.world,
            self.here,
            answer_id=answer_id,
            is_current=False,
            judge_model=judge,
            judge_key=f"search_qa/{judge}/2",
            correctness=self.chance.random(),
        )

    async def change(self) -> None:
        """One change of one row, wherever it is."""
        one = "= (SELECT {} FROM {} ORDER BY md5({}::text || %s) LIMIT 1)"
        statement, parts = self.chance.choice(
            [
                ("DELETE FROM qa_answers WHERE id ", ("id", "qa_answers", "id")),
                ("DELETE FROM judge_calls WHERE id ", ("id", "judge_calls", "id")),
                ("UPDATE judge_calls SET discarded = true WHERE id ", ("id", "judge_calls", "id")),
                (_SCORE, ("id", "qa_evaluations", "id")),
                (
                    "UPDATE qa_evaluations SET is_current = false WHERE id ",
                    ("id", "qa_evaluations", "id"),
                ),
                (
                    "DELETE FROM qa_evaluation_issues WHERE evaluation_id ",
                    ("evaluation_id", "qa_evaluation_issues", "evaluation_id"),
                ),
                ("DELETE FROM notes WHERE id ", ("id", "notes", "id")),
            ]
        )
        await self.world.rows(statement + one.format(*parts), str(self.chance.random()))


@pytest.mark.parametrize("seed", [1, 2])
async def test_give_what_single_rows_give(world, here, seed):
    changes = Changes(world, here, seed)
    await changes.begin()
    for _ in range(30):
        await changes.answer()
    days = [dt.date(2026, 3, day) for day in range(1, 7)]
    for _ in range(6):
        if changes.chance.random() < 0.6:
            await roll_up(world)
        for _ in range(changes.chance.randrange(1, 4)):
            await changes.chance.choice([changes.answer, changes.change, changes.change])()
        since, until = sorted(changes.chance.choices(days, k=2))
        some = Filters(since, until, changes.chance.choice(JUDGES), tz="Asia/Seoul", limit=3)
        few = dataclasses.replace(MARCH, limit=changes.chance.randrange(1, 9))
        await compare(world, here, MARCH, some, few)
    await roll_up(world)
    assert await world.rows(ROLLED)
    london = Filters(dt.date(2026, 3, 1), dt.date(2026, 3, 29), tz="Europe/London")
    await compare(world, here, MARCH, Filters(days[1], days[3], tz="America/New_York"), london)


async def test_order_notes_with_equal_figures_as_single_rows_do(world, here):
    changes = Changes(world, here, 1)
    await changes.begin()
    notes = [row["id"] for row in await world.rows("SELECT id FROM notes ORDER BY id")]
    given = {"title": "제목", "cited": True, "quote_found": True}
    sources = [{"note_index": n, "note_id": note, **given} for n, note in enumerate(notes, start=1)]
    await put_verdict(world, here, at=FIRST, correctness=1, sources=sources[::-1])
    await roll_up(world)
    async with await psycopg.AsyncConnection.connect(world.url) as connection:
        await connection.execute("SET enable_sort = off")  # groups by hash come in no order
        for rolled in (True, False):
            read = await figures(connection, here, MARCH, rolled=rolled)
            assert [row[0] for row in read["note-usage"]] == notes
            assert [row[0] for row in read["worst-notes"]] == notes


async def test_are_read_where_nothing_has_changed(world, here):
    await put_verdict(world, here, at=FIRST, correctness=1)
    await put_verdict(world, here, at=FIRST + dt.timedelta(days=1), correctness=1)
    await roll_up(world)
    # What triggers do not see is not seen.
    await world.rows("UPDATE qa_hourly_verdicts SET correctness = 500000000")
    await world.rows("UPDATE qa_evaluations SET tries = 1 WHERE answered_at < '2026-03-02'")
    async with await psycopg.AsyncConnection.connect(world.url) as connection:
        read = await figures(connection, here, MARCH, rolled=True)
    assert [row[1] for row in read["daily-quality"]] == [1, 0.5]


async def test_stay_where_replies_are_emptied_and_go_with_the_last_answer(world, here):
    for day in range(2):
        call = {"body": "{}", "content": "{}", "cost_usd": 1}
        await put_verdict(world, here, at=FIRST + dt.timedelta(days=day), calls=[call])
    await roll_up(world)
    await world.rows("UPDATE judge_calls SET body = NULL, content = NULL")
    assert not await world.rows("SELECT day FROM qa_changed_days")
    await world.rows("UPDATE judge_calls SET cost_usd = 2")
    assert len(await world.rows("SELECT day FROM qa_changed_days")) == 2

    await world.rows("DELETE FROM qa_answers WHERE created_at < '2026-03-02'")
    await roll_up(world)
    assert await world.rows("SELECT day FROM qa_rolled_days") == [{"day": dt.date(2026, 3, 2)}]
    assert not await world.rows("SELECT at FROM qa_hourly_calls WHERE at < '2026-03-02'")
    assert not await world.rows("SELECT day FROM qa_changed_days")


async def test_are_made_again_for_other_time_zones_and_found_by_index(world, here):
    await put_verdict(world, here, at=FIRST)
    await roll_up(world)
    await Rollups(world.pool, ("UTC",), quiet_seconds=0).step()
    assert await world.rows("SELECT zones FROM qa_rolled_days") == [{"zones": ["UTC"]}]

    async with world.pool.connection() as connection, connection.transaction(force_rollback=True):
        # Plans depend on what tests before this one have left and on whether an autovacuum came by.
        await connection.execute("TRUNCATE qa_rolled_days, qa_changed_days, qa_evaluations CASCADE")
        await connection.execute("DELETE FROM pg_statistic")
        for read, index in (
            (rollup_queries.CLAIM, "ix_qa_rolled_days_wanted"),
            (rollup_queries.ADD_DAYS, "ix_qa_evaluations_workspace_id_answered_at"),
            (rollup_queries.REOPEN_DAYS, "pk_qa_rolled_days"),
        ):
            given = {"quiet": 60, "too_large": []}
            explained = await connection.execute(b"EXPLAIN " + read, given)
            plan = "\n".join(line for (line,) in await explained.fetchall())
            assert index in plan, plan
            assert "Seq Scan on qa_" not in plan, plan


async def test_do_not_count_once_a_partition_of_their_month_or_a_later_one_is_dropped(world, here):
    for month in (2, 3, 4):
        await put_verdict(world, here, at=FIRST.replace(month=month, day=5), correctness=1)
    await roll_up(world)
    assert len(await world.rows(ROLLED)) == 3
    await add_month(world.pool, FIRST.date())

    assert await drop_months(world.pool, [("judge_calls", FIRST.date())])

    assert await world.rows(ROLLED) == [{"day": dt.date(2026, 4, 5)}]


async def test_of_a_day_that_a_transaction_is_changing_do_not_count_when_it_commits(world, here):
    """Whether it began before the day was rolled up for the first time or between two times."""
    for hour in (0, 1):
        await put_verdict(world, here, at=FIRST + dt.timedelta(hours=hour), correctness=1)
    change = b"UPDATE qa_evaluations SET correctness = 0 WHERE answered_at = '2026-03-01'"
    rollups = Rollups(world.pool, ZONES, quiet_seconds=0, slowest=2)
    async with await psycopg.AsyncConnection.connect(world.url) as connection:
        await connection.execute(change)
        for _ in range(5):
            await rollups.step()
        assert not await world.rows(ROLLED)  # who began before the fence is waited for
        await connection.commit()
        await roll_up(world)

        await connection.execute(change.replace(b"= 0", b"= 0.5"))
        await world.rows("UPDATE qa_evaluations SET tries = 1 WHERE answered_at > '2026-03-01'")
        await roll_up(world)
        assert dt.date(2026, 3, 1) in {row["day"] for row in await world.rows(ROLLED)}
        await connection.commit()
        assert dt.date(2026, 3, 1) not in {row["day"] for row in await world.rows(ROLLED)}
    await compare(world, here, MARCH)


def test_are_kept_by_whole_hours_and_know_no_notebooks():
    here = uuid.uuid4()
    assert not can_use_rollups(Filters(MARCH.since, MARCH.until, tz="Asia/Kolkata"), here)
    # Half an hour behind since that night, which is the last of these days.
    april = Filters(dt.date(2026, 4, 3), dt.date(2026, 4, 5), tz="Australia/Lord_Howe")
    assert not can_use_rollups(april, here)
    assert can_use_rollups(dataclasses.replace(april, until=dt.date(2026, 4, 4)), here)
    notebook = Filters(MARCH.since, MARCH.until, notebook_id=uuid.uuid4())
    assert not can_use_rollups(notebook, here)
