"""Real PostgreSQL and Redis. A worker has a migrated database of its own."""

import uuid
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import kombu.pools
import psycopg
import pytest
import pytest_asyncio
import redis
from sqlalchemy.ext.asyncio import AsyncEngine, AsyncSession, async_sessionmaker

import servers
from api_client import Api, open_api
from app.platform.broker import Publisher
from app.platform.db import actor
from app.platform.db.session import Sessions, create_engine
from app.workspaces.models import Workspace
from judge_replies import well
from stub_server import StubServer
from verdict_world import World, make_workspace, open_world, settings
from workers import Clock, Vendor, turned_clock


@pytest.fixture(autouse=True)
def no_actor() -> None:
    """Requests are served in the context of the test, and set who acts."""
    actor._actor.set("")


@pytest.fixture(scope="session")
def postgres_url(run_folder: Path) -> str:
    """The `postgres` database of the run's server."""
    return servers.start_postgres(run_folder)


@pytest.fixture(scope="session")
def server_version(postgres_url: str) -> int:
    """Of PostgreSQL, as 18."""
    with psycopg.connect(postgres_url) as connection:
        return connection.info.server_version // 10_000


@pytest.fixture(scope="session")
def pgvector(postgres_url: str) -> None:
    """Skips the test where the server has none."""
    with psycopg.connect(postgres_url) as connection:
        found = connection.execute("SELECT FROM pg_available_extensions WHERE name = 'vector'")
        if not found.rowcount:
            pytest.skip("this PostgreSQL has no pgvector")


@pytest.fixture(scope="session")
def database_url(postgres_url: str) -> Iterator[str]:
    """This worker's migrated database. Tests leave nothing in it: use `session`."""
    with servers.migrated_database(postgres_url) as url:
        yield url


@pytest.fixture(scope="session")
def _reused(postgres_url: str) -> Iterator[servers.ReusedDatabase]:
    database = servers.ReusedDatabase(postgres_url)
    yield database
    database.close()


@pytest.fixture
def clean_database_url(_reused: servers.ReusedDatabase) -> Iterator[str]:
    """A migrated database without rows, for one test that commits for real."""
    yield _reused.url
    _reused.clean()


@pytest.fixture
async def engine(database_url: str) -> AsyncIterator[AsyncEngine]:
    engine = create_engine(database_url, pool_size=2)
    yield engine
    await engine.dispose()


@pytest.fixture
async def sessions(engine: AsyncEngine) -> AsyncIterator[Sessions]:
    """Sessions whose commits are savepoints of one transaction, rolled back after the test. Use
    them one after the other: they share a connection."""
    async with engine.connect() as connection:
        outer = await connection.begin()
        yield async_sessionmaker(
            connection, join_transaction_mode="create_savepoint", expire_on_commit=False
        )
        await outer.rollback()


@pytest.fixture
async def session(sessions: Sessions) -> AsyncIterator[AsyncSession]:
    async with sessions() as session:
        yield session


@pytest.fixture
async def workspace(session: AsyncSession) -> Workspace:
    workspace = await make_workspace(session)
    await session.commit()
    return workspace


@pytest.fixture(scope="session")
def _worker_redis(run_folder: Path, worker_id: str) -> Iterator[str]:
    with servers.redis_server(run_folder / f"redis-{worker_id}") as url:
        yield url


@pytest.fixture
def redis_url(_worker_redis: str) -> str:
    """This worker's Redis, empty. Publishers of a process share kombu's pools, and a connection
    that an earlier test has left there may still have a reply to come."""
    kombu.pools.reset()
    with redis.Redis.from_url(_worker_redis) as client:
        client.flushall()
    return _worker_redis


@pytest.fixture
async def world(clean_database_url: str) -> AsyncIterator[World]:
    """A database of its own for tests of the life of a verdict."""
    async with open_world(clean_database_url) as world:
        yield world


@pytest.fixture(scope="module")
def _module_database(postgres_url: str) -> Iterator[psycopg.Connection]:
    with (
        servers.migrated_database(postgres_url) as url,
        psycopg.connect(url, autocommit=True) as connection,
    ):
        yield connection


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def _module_api(
    _module_database: psycopg.Connection, postgres_url: str, _worker_redis: str
) -> AsyncIterator[Api]:
    url = servers.database_url(postgres_url, _module_database.info.dbname)
    async with open_world(url) as world, open_api(world, _worker_redis) as api:
        yield api


@pytest_asyncio.fixture(loop_scope="module")
async def shared_api(_module_database: psycopg.Connection, _module_api: Api) -> Api:
    """One HTTP API for all tests of a file, over a database that is emptied before each: for tests
    that change neither schema nor settings, and end no session. They run in the module's loop."""
    servers.delete_rows(_module_database)
    return await _module_api.renewed()


@pytest_asyncio.fixture(loop_scope="module")
async def here(api: Api) -> uuid.UUID:
    """The workspace of `api` in files whose tests run in the module's loop."""
    return await api.world.workspace()


@pytest.fixture
async def judge() -> AsyncIterator[StubServer]:
    """A model server that judges well."""
    async with StubServer(well()) as stub:
        yield stub


@pytest.fixture
def publisher(redis_url: str) -> Iterator[Publisher]:
    publisher = Publisher(redis_url, settings())
    yield publisher
    publisher.close()


@pytest.fixture
def clock(clean_database_url: str) -> Iterator[Clock]:
    with turned_clock(clean_database_url) as clock:
        yield clock


@pytest.fixture
def vendor(judge: StubServer) -> Vendor:
    """The same, each of whose models may behave in its own way."""
    judge.default = vendor = Vendor()
    return vendor


@pytest.fixture
def api(request: pytest.FixtureRequest) -> Api:
    """The HTTP API, shared by the tests of a file that run in the module's loop; the test itself is
    the worker."""
    marker = request.node.get_closest_marker("asyncio")
    shared = marker is not None and marker.kwargs.get("loop_scope") == "module"
    return request.getfixturevalue("shared_api" if shared else "own_api")


@pytest.fixture
async def own_api(world: World, redis_url: str) -> AsyncIterator[Api]:
    """The HTTP API over that database."""
    async with open_api(world, redis_url) as api:
        yield api
