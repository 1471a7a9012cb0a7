"""Analytics and lists that are read from a streaming replica, which may be behind or away."""

import datetime as dt
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from victims import eventually

from analytics_rows import put_verdict
from api_client import Api, open_api
from app.cli import postgres_checks
from app.cli.checks import State
from app.platform.db.migrate import migrate
from app.platform.db.replica import NO_REPLICA
from postgres_server import PostgresServer, embedded_programs, new_replica, new_server
from servers import database_url, redis_server
from verdict_world import World, open_world

DATABASE = "searchqa"
AGE = "X-Data-Age"
FAR_BEHIND = "recovery_min_apply_delay=1h"
LISTS = ("/qa-evaluations", "/qa-evaluations/export", "/analytics/verdicts?format=csv")


@pytest.fixture
def primary(new_folder: Path) -> Iterator[PostgresServer]:
    with new_server(embedded_programs(), new_folder) as server:
        with psycopg.connect(server.url, autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {DATABASE}")
        migrate(database_url(server.url, DATABASE))
        yield server


@pytest.fixture
def redis_url(new_folder: Path) -> Iterator[str]:
    with redis_server(new_folder.with_name(f"{new_folder.name}-redis")) as url:
        yield url


async def verdicts(api: Api) -> tuple[int, str | None]:
    """How many the list has, and what it says of its age."""
    response = await api.client.get("/qa-evaluations")
    assert response.status_code == 200, response.text
    return len(response.json()["items"]), response.headers.get(AGE)


async def put_two(world: World) -> None:
    """One in the workspace of the token, one in another that it must not see."""
    for name in ("default", "another"):
        workspace_id = await world.workspace(name)
        await put_verdict(world, workspace_id, at=dt.datetime.now(dt.UTC))


async def test_the_replica_is_read_while_it_keeps_up(primary, new_folder, redis_url):
    """And the primary at once where it is away; each response is of one of them."""
    folder = new_folder.with_name(f"{new_folder.name}-replica")
    with new_replica(primary, folder) as replica:
        read_url = database_url(replica.url, DATABASE)
        async with (
            open_world(database_url(primary.url, DATABASE)) as world,
            open_api(world, redis_url, database_read_url=read_url) as api,
        ):
            await put_two(world)

            async def caught_up() -> bool:
                return (await verdicts(api))[0] == 1 and (await verdicts(api))[1] is not None

            await eventually(caught_up)
            own = postgres_checks.replica(world.url, read_url, 30)
            assert own.state is State.OK, own
            for path in LISTS:
                response = await api.client.get(path)
                assert 0 <= int(response.headers[AGE]) <= 30
            with psycopg.connect(read_url, autocommit=True) as connection:
                connection.execute("SELECT pg_wal_replay_pause()")
            await put_two(world)
            count, age = await verdicts(api)
            assert (count, age is None) in {(1, False), (2, True)}

            replica.stop()
            assert await verdicts(api) == (2, None)
            replica.start()

            async def read_again() -> bool:
                count, age = await verdicts(api)
                return count == 2 and age is not None

            await eventually(read_again)


def test_a_server_that_is_no_replica_of_this_database_is_refused(primary, new_folder, postgres_url):
    folder = new_folder.with_name(f"{new_folder.name}-replica")
    with new_replica(primary, folder) as replica:
        for primary_url, read_url in (
            (database_url(primary.url, DATABASE), replica.url),
            (primary.url, primary.url),
            (database_url(postgres_url, "postgres"), replica.url),
        ):
            found = postgres_checks.replica(primary_url, read_url, 30)
            assert (found.state, found.detail) == (State.BROKEN, NO_REPLICA)


async def test_a_replica_an_hour_behind_is_left(primary, new_folder, redis_url):
    folder = new_folder.with_name(f"{new_folder.name}-replica")
    with new_replica(primary, folder, FAR_BEHIND) as replica:
        async with (
            open_world(database_url(primary.url, DATABASE)) as world,
            open_api(
                world, redis_url, database_read_url=database_url(replica.url, DATABASE)
            ) as api,
        ):
            for count in (1, 2, 3):
                await put_two(world)
                await api.app.state.services.replica.measure_lag()
                assert await verdicts(api) == (count, None)
