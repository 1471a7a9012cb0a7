"""The monitor over real tables: detects changes, stores each once, and sends events."""

import asyncio
import datetime as dt
import json
import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import pytest_asyncio
from psycopg.types.json import Jsonb
from pydantic import ValidationError

from analytics_rows import JUDGE, answer, put_days
from api_client import Api
from app.notes.service import get_or_create_notebook
from app.operations.retention import retention_for
from app.quality.drift.series import LEARNING
from app.quality.drift.watching import HISTORY_DAYS, WINDOW_DAYS, Watch
from app.workspaces.tokens import DEFAULT_WORKSPACE
from verdict_world import World, settings
from webhook_world import add_hook, deliveries

pytestmark = pytest.mark.asyncio(loop_scope="module")

Rows = list[dict[str, Any]]

# Which filters of the list a page sets for an alarm.
LINKS = Path(__file__).parents[3] / "frontend" / "src" / "features" / "quality" / "drill.json"

# Of the days that are looked at; the quality changes on day CHANGE.
DAYS, CHANGE = 58, 45
EACH = 24
# The fewest days that alarms may be kept.
MIN_KEPT_DAYS = 120


@pytest_asyncio.fixture(loop_scope="module")
async def days(api: Api) -> list[dt.date]:
    """The oldest first; the last one was over long ago wherever the clock stands."""
    ((row),) = await api.world.rows("SELECT (now() AT TIME ZONE 'UTC')::date AS today")
    return [row["today"] - dt.timedelta(days=1 + DAYS - n) for n in range(DAYS)]


async def workspace(world: World, name: str = DEFAULT_WORKSPACE) -> uuid.UUID:
    return await world.workspace(name)


def scores(count: int, mean: float, seed: int) -> list[float]:
    """Around the mean, each as often as the other way."""
    rng = np.random.default_rng(seed)
    return [float(x) for x in np.clip(rng.normal(mean, 0.1, count), 0, 1)]


def steady(days: Sequence[dt.date], mean: float = 0.85, each: int = EACH, **values: Any) -> Rows:
    return [
        answer(day, score, **values)
        for n, day in enumerate(days)
        for score in scores(each, mean, seed=n)
    ]


async def examine_days(world: World, *, watches: int = 1) -> None:
    """Until no day is left, by so many dispatchers."""

    async def dispatcher() -> None:
        watch = Watch(world.pool)
        while await watch.step():
            pass

    await asyncio.gather(*(dispatcher() for _ in range(watches)))


async def alarms(api: Api) -> Rows:
    return (await api.client.get("/analytics/alarms")).json()["rows"]


async def count_listed(api: Api, alarm: dict[str, Any], cause: dict[str, Any] | None = None) -> int:
    """How many verdicts the list has that the quality page opens for the alarm, or its cause."""
    links = json.loads(LINKS.read_text("utf-8"))["alarms"]
    query = {
        "first_day": alarm["began_on"],
        "last_day": alarm["noticed_on"],
        "tz": (await api.client.get("/analytics/alarms")).json()["tz"],
        "judge_model": alarm["judge_model"],
        "current": True,
        "outcome": links["series"][alarm["series"]],
        "limit": 200,
    }
    if cause:
        query[links["dimensions"][cause["dimension"]]] = cause["value"]
    page = (await api.client.get("/qa-evaluations", params=query)).json()
    assert page["next"] is None
    return len(page["items"])


class TestAWorseModel:
    """From one day on a new model answers half of the questions, and worse."""

    async def put(self, world: World, workspace_id: uuid.UUID, days: list[dt.date]) -> None:
        before, after = days[:CHANGE], days[CHANGE:]
        small = steady(before) + steady(after, each=EACH // 2)
        await put_days(
            world, workspace_id, small + steady(after, 0.55, EACH // 2, answer_model="large")
        )

    async def test_is_one_alarm_that_names_it(self, api, here, days):
        world = api.world
        await add_hook(world, "https://hooks.example/", events=["quality.changed"])
        await add_hook(world, "https://hooks.example/", events=["judge.paused"])
        await add_hook(world, "https://hooks.example/", events=["quality.changed"], judges=["a:b"])
        there = await workspace(world, "other")
        await add_hook(world, "https://a.example/", events=["quality.changed"], workspace="other")
        await self.put(world, here, days)
        await put_days(world, there, steady(days))

        await examine_days(world, watches=2)

        (alarm,) = await alarms(api)
        assert (alarm["judge_model"], alarm["series"]) == (JUDGE, "score")
        began, noticed = (dt.date.fromisoformat(alarm[key]) for key in ("began_on", "noticed_on"))
        assert abs((began - days[CHANGE]).days) <= 1
        assert 0 < (noticed - days[CHANGE]).days <= 8
        assert alarm["before"] == pytest.approx(0.85, abs=0.02)
        assert alarm["after"] == pytest.approx(0.70, abs=0.03)
        (cause,) = alarm["causes"]
        assert (cause["dimension"], cause["value"]) == ("answer_model", "openai:large")
        assert cause["part"] == pytest.approx(1, abs=0.1)
        assert (cause["share_before"], cause["mean_before"]) == (0, None)

        assert await count_listed(api, alarm) == alarm["answers_after"]
        assert (
            await count_listed(api, alarm, cause) == alarm["answers_after"] * cause["share_after"]
        )

        (delivery,) = await deliveries(world)
        assert delivery["event"] == "quality.changed"
        assert delivery["data"] | {"alarm_id": alarm["id"]} == delivery["data"]
        assert delivery["data"]["causes"] == alarm["causes"]
        (seen,) = await world.rows("SELECT * FROM analytics.quality_alarms")
        assert (str(seen["alarm_id"]), seen["workspace_id"]) == (alarm["id"], here)
        points = await world.rows(
            "SELECT workspace_id, count(*) AS points FROM analytics.quality_points GROUP BY 1"
        )
        assert {row["workspace_id"]: row["points"] for row in points} == dict.fromkeys(
            (here, there), 3 * DAYS
        )
        stranger = await api.as_token(workspace="other")
        assert (await stranger.get("/analytics/alarms")).json()["rows"] == []
        assert (
            await stranger.post(f"/analytics/alarms/{alarm['id']}/acknowledge")
        ).status_code == 404

    async def test_begins_anew_after_the_alarm(self, api, here, days):
        await self.put(api.world, here, days)
        await examine_days(api.world)
        found = (await api.client.get("/analytics/alarms")).json()
        left = (days[-1] - dt.date.fromisoformat(found["rows"][0]["noticed_on"])).days
        watched = {each["series"]: each for each in found["watched"]}
        assert watched["score"]["points"] == left
        assert watched["score"]["missing"] == LEARNING - left
        assert watched["coverage"] | {"points": DAYS, "missing": 0} == watched["coverage"]
        assert watched["corrected"]["missing"] == LEARNING

    async def test_is_acknowledged_once(self, api, here, days):
        await self.put(api.world, here, days)
        await examine_days(api.world)
        path = f"/analytics/alarms/{(await alarms(api))[0]['id']}/acknowledge"
        assert (await api.client.post(path)).status_code == 204
        at = (await alarms(api))[0]["acknowledged_at"]
        assert (await api.client.post(path)).status_code == 204
        assert (await alarms(api))[0]["acknowledged_at"] == at
        unknown = await api.client.post(f"/analytics/alarms/{uuid.uuid4()}/acknowledge")
        assert unknown.status_code == 404


async def test_nothing_is_found_where_nothing_changes(api, here, days):
    await put_days(api.world, here, steady(days))
    await examine_days(api.world)
    assert await alarms(api) == []


async def test_answers_that_fail_are_missing_and_say_why(api, here, days):
    after = days[CHANGE:]
    lost = [answer(day, None) for day in after for _ in range(EACH // 2)]
    await put_days(api.world, here, steady(days[:CHANGE]) + steady(after, each=EACH // 2) + lost)
    await examine_days(api.world)
    found = {alarm["series"]: alarm for alarm in await alarms(api)}
    assert set(found) == {"coverage", "unjudged"}
    assert (found["coverage"]["before"], found["coverage"]["after"]) == (1, 0.5)
    for alarm in found.values():
        assert (alarm["causes"][0]["dimension"], alarm["causes"][0]["value"]) == (
            *("reason", "failed"),
        )


async def test_a_note_that_is_now_misquoted_is_named(api, here, days):
    after = days[CHANGE:]
    wrong = steady(after, 0.55, EACH // 2, misquoted_notes=[2])
    await put_days(api.world, here, steady(days[:CHANGE]) + steady(after, each=EACH // 2) + wrong)
    await api.world.rows(
        "INSERT INTO qa_answer_sources (workspace_id, answer_id, note_index, title, content)"
        " SELECT workspace_id, answer_id, 2, '배양기', '…' FROM qa_evaluations"
        " WHERE misquoted_notes IS NOT NULL"
    )
    await examine_days(api.world)
    (alarm,) = await alarms(api)
    (cause,) = alarm["causes"]
    assert (cause["dimension"], cause["value"], cause["name"]) == (
        *("misquoted_note", "배양기", "배양기"),
    )
    assert (cause["share_before"], cause["share_after"]) == (0, 0.5)


async def test_a_notebook_is_named(api, here, days):
    async with api.world.sessions.begin() as session:
        notebook = (await get_or_create_notebook(session, here, "배양 기록")).id
    after = days[CHANGE:]
    worse = steady(after, 0.55, EACH // 2, notebook_id=notebook)
    await put_days(api.world, here, steady(days[:CHANGE]) + steady(after, each=EACH // 2) + worse)
    await examine_days(api.world)
    ((cause,),) = [alarm["causes"] for alarm in await alarms(api)]
    assert (cause["dimension"], cause["value"], cause["name"]) == (
        *("notebook", str(notebook), "배양 기록"),
    )


async def test_a_release_is_named(api, here, days):
    after = days[CHANGE:]
    old = steady(days[:CHANGE], app_version="1.4.1") + steady(after, each=EACH // 2)
    await put_days(api.world, here, old + steady(after, 0.55, EACH // 2, app_version="1.4.2"))
    await examine_days(api.world)
    ((cause, *_),) = [alarm["causes"] for alarm in await alarms(api)]
    assert (cause["dimension"], cause["value"]) == ("app_version", "1.4.2")


async def test_each_judge_has_its_own_series(api, here, days):
    """A stricter judge that replaces another is no change of quality."""
    strict = steady(days[CHANGE:], 0.5, judge_model="openai:strict")
    await put_days(api.world, here, steady(days[:CHANGE]) + strict)
    await examine_days(api.world)
    found = (await api.client.get("/analytics/alarms")).json()
    assert found["rows"] == []
    watched = {(each["judge_model"], each["series"]): each for each in found["watched"]}
    assert watched["openai:strict", "score"]["points"] == DAYS - CHANGE
    assert watched["openai:strict", "score"]["missing"] == max(LEARNING - (DAYS - CHANGE), 0)
    assert watched[JUDGE, "score"]["missing"] == 0


class TestDays:
    async def points(self, world: World) -> Rows:
        return await world.rows(
            "SELECT * FROM quality_points WHERE series = 'score' ORDER BY first_day"
        )

    async def test_with_few_answers_are_joined(self, api, here, days):
        await put_days(api.world, here, steady(days[:9], each=6))
        await examine_days(api.world)
        points = await self.points(api.world)
        assert [point["answers"] for point in points] == [24, 24, 6]
        assert [point["score"] is None for point in points] == [False, False, True]
        assert (points[0]["first_day"], points[0]["last_day"]) == (days[0], days[3])
        mean = np.mean([score for n in range(4) for score in scores(6, 0.85, n)])
        assert points[0]["value"] == pytest.approx(mean)

    async def test_without_answers_are_gaps(self, api, here, days):
        lone = [days[0], days[40]]
        await put_days(api.world, here, steady(lone, each=6))
        await examine_days(api.world)
        points = await self.points(api.world)
        assert [point["first_day"] for point in points] == lone, "too far apart to be joined"

    async def test_stay_as_they_were_looked_at(self, api, here, days):
        world = api.world
        await put_days(world, here, steady(days[:3]))
        await examine_days(world)
        before = await self.points(world)
        await put_days(world, here, steady(days[:3], 0.1))
        await examine_days(world)
        assert await self.points(world) == before

    async def test_are_those_of_the_workspace(self, api, here, days):
        world = api.world
        await world.rows(
            "INSERT INTO evaluation_policies (workspace_id, time_zone, fallback_models)"
            " VALUES (%s, 'Pacific/Kiritimati', '{}')",
            here,
        )
        await put_days(world, here, steady(days[:1]))
        await examine_days(world)
        assert [point["first_day"] for point in await self.points(world)] == [days[1]]

    async def test_long_ago_are_not_looked_at(self, api, here, days):
        world = api.world
        await put_days(world, here, steady([days[0] - dt.timedelta(days=400)]))
        await examine_days(world)
        assert await self.points(world) == []
        ((row),) = await world.rows("SELECT now()::date - next_day AS left FROM quality_watches")
        assert row["left"] <= 1 < HISTORY_DAYS


_PUT_LABELS = (
    """
    INSERT INTO review_draws (id, workspace_id, seed, size, since, until, stratify)
    VALUES (%(draw)s, %(here)s, 1, 1, '2000-01-01', now(), '{}')
    """,
    """
    INSERT INTO review_strata (id, workspace_id, draw_id, name, answer_ids)
    VALUES (%(stratum)s, %(here)s, %(draw)s, 'all', %(ids)s)
    """,
    """
    INSERT INTO review_items (answer_id, workspace_id, draw_id, stratum_id, position,
        inclusion_probability)
    SELECT id, %(here)s, %(draw)s, %(stratum)s, position, 0.5
    FROM jsonb_to_recordset(%(items)s) AS r (id uuid, position int)
    """,
    """
    INSERT INTO qa_feedback (id, workspace_id, evaluation_id, answer_id, label, author)
    SELECT gen_random_uuid(), %(here)s, id, id, label, 'ann'
    FROM jsonb_to_recordset(%(items)s) AS r (id uuid, label text)
    """,
)


class TestLabels:
    """People find answers worse from one day on; the judge sees no difference."""

    @pytest.fixture
    def days(self, days: list[dt.date]) -> list[dt.date]:
        """Until a Saturday: ranks are among workdays and among weekends, so that when the change
        is taken to have begun depends on the weekday of the first day."""
        past = dt.timedelta(days=(days[-1].isoweekday() - 6) % 7)
        return [day - past for day in days]

    async def put(self, world: World, here: uuid.UUID, days: list[dt.date], labelled: int) -> None:
        rows = steady(days, each=EACH)
        await put_days(world, here, rows)
        draw, stratum = uuid.uuid4(), uuid.uuid4()
        given = {"here": here, "draw": draw, "stratum": stratum}
        ids = [row["id"] for row in rows]
        picked = [row for n, row in enumerate(rows) if n % EACH < labelled]
        order = np.random.default_rng(1).permutation(len(picked))
        items = [
            {
                "id": str(picked[n]["id"]),
                "position": place,
                # One of four is wrong, and later three of four.
                "label": "wrong" if (n % 4 == 0) == (self.day(picked[n]) < days[30]) else "right",
            }
            for place, n in enumerate(order.tolist(), start=1)
        ]
        async with world.pool.connection() as connection:
            for statement in _PUT_LABELS:
                await connection.execute(
                    statement.encode(), given | {"ids": ids, "items": Jsonb(items)}
                )
            # As autovacuum would: plans for empty tables take a second each.
            await connection.execute("ANALYZE")

    def day(self, row: dict[str, Any]) -> dt.date:
        at: dt.datetime = row["answered_at"]
        return at.date()

    async def test_find_what_the_judge_does_not_see(self, api, here, days):
        await self.put(api.world, here, days, labelled=12)
        await examine_days(api.world)
        (alarm,) = await alarms(api)
        assert alarm["series"] == "corrected"
        began = dt.date.fromisoformat(alarm["began_on"])
        assert abs((began - days[30]).days) <= 2
        assert alarm["before"] == pytest.approx(0.75, abs=0.05)
        assert alarm["after"] == pytest.approx(0.25, abs=0.08)
        assert alarm["causes"] == [], "all answers alike"
        assert alarm["answers_before"] == 12 * 28

    async def test_are_joined_until_there_are_ten(self, api, here, days):
        await self.put(api.world, here, days[:31], labelled=4)
        await examine_days(api.world)
        points = await api.world.rows(
            "SELECT * FROM quality_points WHERE series = 'corrected' ORDER BY first_day"
        )
        assert [point["answers"] for point in points] == [12] * 10
        assert (points[0]["first_day"], points[0]["last_day"]) == (days[0], days[2])

    async def test_that_may_still_come_are_waited_for(self, api, here, days):
        world = api.world
        await self.put(world, here, days[:31], labelled=12)
        await world.rows(
            "DELETE FROM qa_feedback f USING qa_evaluations e WHERE e.id = f.evaluation_id"
            " AND e.answered_at >= %s",
            days[4],
        )
        await examine_days(world)
        held = "SELECT count(*) AS points FROM quality_points WHERE series = 'corrected'"
        # Labels count up to the place where nine of ten have one.
        assert (await world.rows(held))[0]["points"] == 0


class TestWhatIsKept:
    async def test_goes_with_the_workspace(self, api, here, days):
        world = api.world
        there = await workspace(world, "other")
        await put_days(world, there, steady(days[:20]))
        await examine_days(world)
        await world.rows("DELETE FROM workspaces WHERE id = %s", there)
        for table in ("quality_watches", "quality_points", "quality_alarms"):
            assert await world.rows(f"SELECT 1 FROM {table}") == []

    async def test_goes_after_its_time(self, api, here, days):
        world = api.world
        await put_days(world, here, steady(days[:20]) + steady(days[20:], 0.4))
        await examine_days(world)
        (alarm,) = await alarms(api)
        await self.age(world, MIN_KEPT_DAYS - 25)
        await world.rows("UPDATE quality_alarms SET created_at = now() - interval '125 days'")
        retention = retention_for("quality", world.pool, settings(keep_quality_days=MIN_KEPT_DAYS))
        assert "alarms" not in await retention.due()
        assert "alarms" not in await retention.delete_all()
        kept = await self.first_days(world)
        noticed = dt.date.fromisoformat(alarm["noticed_on"])
        assert kept["score"] == noticed - dt.timedelta(days=MIN_KEPT_DAYS - 25 - 1)
        first = days[0] - dt.timedelta(days=MIN_KEPT_DAYS - 25)
        assert kept["coverage"] == kept["unjudged"] == first, "a test under way keeps its days"
        await world.rows("DELETE FROM quality_points WHERE series = 'score'")
        assert await retention.due() == {"alarms": 1}
        assert await retention.delete_all() == {"alarms": 1}
        assert await alarms(api) == []
        assert alarm["acknowledged_at"] is None

    async def test_of_a_judge_that_is_asked_no_more_goes_after_its_time(self, api, here, days):
        world = api.world
        await put_days(world, here, steady(days[:3]))
        await examine_days(world)
        await self.age(world, MIN_KEPT_DAYS - DAYS)
        retention = retention_for("quality", world.pool, settings(keep_quality_days=MIN_KEPT_DAYS))
        assert not await retention.delete_all()
        await self.age(world, 5)
        assert await retention.delete_all() == {"points": 3 * 3}

    async def age(self, world: World, days: int) -> None:
        for table, columns in (
            ("quality_points", ("first_day", "last_day")),
            ("quality_alarms", ("compared_from", "began_on", "noticed_on")),
        ):
            older = ", ".join(
                f"{each} = {each} - make_interval(days => {days})" for each in columns
            )
            await world.rows(f"UPDATE {table} SET {older}")

    async def first_days(self, world: World) -> dict[str, dt.date]:
        rows = await world.rows(
            "SELECT series, min(first_day) AS day FROM quality_points GROUP BY 1"
        )
        return {row["series"]: row["day"] for row in rows}

    async def test_is_kept_while_it_could_be_looked_at_again(self):
        assert MIN_KEPT_DAYS == HISTORY_DAYS + WINDOW_DAYS
        with pytest.raises(ValidationError, match="greater than or equal to"):
            settings(keep_quality_days=MIN_KEPT_DAYS - 1)
