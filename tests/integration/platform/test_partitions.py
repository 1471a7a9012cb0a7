"""Tables in month partitions: added ahead, filled while in use, dropped when they are over."""

import asyncio
import contextlib
import datetime as dt
import os
import shutil
import subprocess
import sys
import tempfile
import uuid
from collections.abc import Iterator, Sequence
from pathlib import Path

import psycopg
import pytest
from alembic import command

import servers
from app.ai_router.types import ChatResponse
from app.cli import postgres_checks
from app.cli.checks import Finding, State
from app.platform.db.base import Base
from app.platform.db.migrate import migrate
from app.platform.db.retention import (
    MONTHS_AHEAD,
    add_missing,
    add_month,
    analyze_due,
    drop_months,
    list_partitions,
)
from app.platform.errors import SetupError
from app.verdicts.lifecycle.lifecycle import StoredCall
from app.verdicts.lifecycle.retention import VerdictRetention
from cases import TIMEOUT_SECONDS
from migrations import partitioning
from servers import alembic
from verdict_world import World, open_world, settings, store_answers, verdict

pytestmark = pytest.mark.slow

PARTITIONED = {
    table.name: table.dialect_options["postgresql"]["partition_by"]
    for table in Base.metadata.tables.values()
    if table.dialect_options["postgresql"]["partition_by"]
}
MONTH = dt.date(2025, 3, 1)
REPLY = ChatResponse(content="{}", provider="openai", model="gpt", raw_body="body")


def key_of(day: dt.date, number: int = 0) -> uuid.UUID:
    """A UUIDv7 as it was made on that day."""
    at = dt.datetime.combine(day, dt.time(12), dt.UTC)
    return uuid.UUID(int=(int(at.timestamp() * 1000) << 80) | (7 << 76) | (2 << 62) | number)


async def judged_on(world: World, day: dt.date) -> uuid.UUID:
    """The answer of a verdict, as if it had been stored that day."""
    (new,) = await store_answers(world)
    (lease,) = await world.lifecycle.claim([new.evaluation_id])
    await world.lifecycle.record([(lease, verdict())])
    answer, evaluation = key_of(day), key_of(day, 1)
    async with world.pool.connection() as connection, connection.transaction():
        await connection.execute("SET LOCAL session_replication_role = replica")
        for statement in (
            "UPDATE qa_answers SET id = %(answer)s, created_at = %(day)s WHERE id = %(old)s",
            "UPDATE qa_answer_sources SET answer_id = %(answer)s WHERE answer_id = %(old)s",
            "UPDATE qa_evaluations SET answer_id = %(answer)s WHERE answer_id = %(old)s",
            "UPDATE qa_evaluations SET id = %(evaluation)s WHERE id = %(was)s",
            *(
                f"UPDATE {table} SET evaluation_id = %(evaluation)s WHERE evaluation_id = %(was)s"
                for table, by in PARTITIONED.items()
                if by == "RANGE (evaluation_id)"
            ),
        ):
            given = {"answer": answer, "evaluation": evaluation, "day": day}
            given |= {"old": new.answer_id, "was": new.evaluation_id}
            await connection.execute(statement.encode(), given)
    return answer


async def homes(world: World) -> dict[str, int]:
    """How many rows each partition has, where it has any."""
    found = {}
    for table in PARTITIONED:
        for row in await world.rows(
            f"SELECT tableoid::regclass::text AS home, count(*) AS n FROM {table} GROUP BY 1"
        ):
            found[row["home"]] = row["n"]
    return found


async def test_the_models_say_what_is_partitioned_by_what(world):
    found = await world.rows(
        "SELECT partrelid::regclass::text AS name, pg_get_partkeydef(partrelid) AS by"
        " FROM pg_partitioned_table"
    )
    assert {row["name"]: row["by"] for row in found} == PARTITIONED


async def test_a_fresh_verdict_is_in_the_partitions_of_its_month(world):
    (new,) = await store_answers(world)
    (lease,) = await world.lifecycle.claim([new.evaluation_id])
    await world.lifecycle.record([(lease, verdict())])

    month = f"{dt.datetime.now(dt.UTC):_%Y_%m}"
    assert {name[-8:] for name in await homes(world)} == {month}


async def test_partitions_are_there_ahead_and_added_once(world):
    there = await list_partitions(world.pool)
    assert len(there) == len(PARTITIONED) * (1 + 1 + MONTHS_AHEAD)
    assert await add_missing(world.pool) == 0

    last = max(each.month for each in there if each.month)
    for table in PARTITIONED:
        await world.rows(f"DROP TABLE partitions.{table}{last:_%Y_%m}")
    both = await asyncio.gather(*(add_missing(world.pool) for _ in range(2)))

    assert sum(both) == len(PARTITIONED)
    assert {(p.table, p.month) for p in await list_partitions(world.pool)} == {
        (p.table, p.month) for p in there
    }
    await analyze_due(world.pool)


async def test_rows_without_a_partition_are_kept_and_move_to_one_that_is_added(world):
    answer = await judged_on(world, MONTH)
    before = await homes(world)
    assert {name.rpartition("_")[2] for name in before} == {"default"}

    assert await add_month(world.pool, MONTH) == len(PARTITIONED)
    assert await add_month(world.pool, MONTH) == 0

    moved = {name.replace("default", "2025_03"): n for name, n in before.items()}
    assert await homes(world) == moved
    await world.rows("DELETE FROM qa_answers WHERE id = %s", answer)
    assert await homes(world) == {}


async def test_a_month_that_is_over_is_dropped_but_for_what_is_unfinished(world):
    await add_month(world.pool, MONTH)
    retention = VerdictRetention(world.pool, settings(keep_answers_days=30))
    answer = await judged_on(world, MONTH)
    await world.rows(
        "UPDATE qa_evaluations SET status = 'queued', correctness = NULL, utility = NULL,"
        " finished_at = NULL"
    )
    assert not await retention.delete_all()
    assert await homes(world)

    await world.rows(
        "UPDATE qa_evaluations SET status = 'failed', error = 'permanent', finished_at = now()"
    )
    assert await VerdictRetention(world.pool, settings()).delete_all() == {}
    retention = VerdictRetention(world.pool, settings(keep_answers_days=30))
    assert (await retention.due())["partitions"] == len(PARTITIONED)
    assert await retention.delete_all() == {"partitions": len(PARTITIONED), "answers": 1}

    assert await homes(world) == {}
    assert await world.rows("SELECT id FROM qa_answers WHERE id = %s", answer) == []
    months = {each.month for each in await list_partitions(world.pool)}
    assert MONTH not in months
    assert len(months) == 2 + MONTHS_AHEAD


async def test_a_partition_in_use_waits_and_this_month_is_never_dropped(world):
    await add_month(world.pool, MONTH)
    both = [("qa_claims", MONTH), ("qa_scores", MONTH)]
    retention = VerdictRetention(world.pool, settings(keep_answers_days=30))
    async with await psycopg.AsyncConnection.connect(world.url) as reader:
        await reader.execute("SELECT FROM qa_claims")
        assert not await drop_months(world.pool, both)  # nor the one behind it
        await retention.delete_batch()
    await retention.delete_batch()  # which does not look again at once
    assert MONTH in {each.month for each in await list_partitions(world.pool)}
    assert await drop_months(world.pool, [("qa_claims", MONTH)])
    assert not await drop_months(world.pool, [("qa_claims", MONTH)])
    with pytest.raises(psycopg.errors.RaiseException, match="is not over"):
        await drop_months(world.pool, [("qa_claims", dt.datetime.now(dt.UTC).date())])


async def test_doctor_names_rows_whose_month_has_no_partition(world):
    async def found() -> Finding:
        findings = await asyncio.to_thread(
            lambda: list(postgres_checks.postgres(world.url, settings()))
        )
        return next(each for each in findings if each.about == "Partitions")

    await judged_on(world, MONTH)
    stray = ("qa_answer_sources", None, 2)
    async with asyncio.timeout(TIMEOUT_SECONDS):
        while stray not in {(p.table, p.month, p.rows) for p in await list_partitions(world.pool)}:
            # Else each session reports what it has written some seconds later.
            await world.rows("SELECT pg_stat_force_next_flush()")
    assert (await found()).state == State.NOTE
    assert "of qa_answer_sources" in (await found()).detail


async def test_the_roles_of_processes_see_partitions_by_their_table_only(world):
    await judged_on(world, MONTH)
    async with world.pool.connection() as connection, connection.transaction():
        await connection.execute("SET LOCAL ROLE searchqa_app")
        assert (await connection.execute("SELECT FROM qa_claims")).rowcount == 0
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            await connection.execute("SELECT FROM partitions.qa_claims_default")


# In small batches, so that there is something to stop in.
_MIGRATE = """
import sys
from app.platform.db.migrate import migrate
from migrations import partitioning

partitioning.BATCH_ROWS = 1
migrate(sys.argv[1])
"""


async def rows_of(world: World, answers: Sequence[uuid.UUID]) -> dict[str, list[str]]:
    """All that hangs on the answers, in each partitioned table."""
    found = {}
    for table, by in PARTITIONED.items():
        of = "answer_id" if by == "RANGE (answer_id)" else "evaluation_id"
        rows = await world.rows(
            f"SELECT to_jsonb(t)::text AS row FROM {table} t WHERE {of} = ANY(%s) OR {of} IN"
            " (SELECT id FROM qa_evaluations WHERE answer_id = ANY(%s)) ORDER BY 1",
            *(answers, answers),
        )
        found[table] = [row["row"] for row in rows]
    return found


async def use(world: World, stopping: asyncio.Event) -> list[uuid.UUID]:
    """Stores and judges answers until then. Returns their ids."""
    answers = []
    while not stopping.is_set():
        (new,) = await store_answers(world)
        (lease,) = await world.lifecycle.claim([new.evaluation_id])
        await world.lifecycle.save_replies([StoredCall(lease, "hash", "openai", "gpt", REPLY)])
        await world.lifecycle.record([(lease, verdict())])
        answers.append(new.answer_id)
    return answers


async def until_progress(world: World, table: str) -> None:
    """Returns once rows of the table are being moved."""
    statement = (
        "SELECT table_name FROM moving.progress WHERE table_name = %s AND last_key IS NOT NULL"
    )
    async with asyncio.timeout(TIMEOUT_SECONDS):
        while True:
            with contextlib.suppress(psycopg.errors.UndefinedTable):
                if await world.rows(statement, table):
                    return
            await asyncio.sleep(0.01)


def test_a_move_says_when_a_table_stays_in_use(clean_database_url, monkeypatch, caplog):
    for name, seconds in (("LOG_SECONDS", 0), ("LOCKS_SECONDS", 0.5), ("_LOCK_PAUSE_SECONDS", 0)):
        monkeypatch.setattr(partitioning, name, seconds)
    with (
        psycopg.connect(clean_database_url) as user,
        psycopg.connect(clean_database_url, autocommit=True) as connection,
    ):
        user.execute("LOCK TABLE notes")
        with pytest.raises(SetupError, match=r"A table stays in use .*goes on where it was"):
            partitioning._retry_locks(
                connection, lambda: partitioning._analyze(connection, "notes")
            )
    assert "A table has been in use for" in caplog.text


# What the code of today writes and reads.
OF_TODAY = (
    (
        "ALTER TABLE qa_evaluations ADD COLUMN outcome text, ADD COLUMN claims_contradicted int2,"
        " ADD COLUMN claims_not_in_notes int2, ADD COLUMN claims_misattributed int2,"
        " ADD COLUMN claims_stitched int2"
    ),
    "ALTER TABLE qa_claims ADD COLUMN fault varchar(16)",
    (
        "ALTER TABLE evaluation_policies ADD COLUMN jury text[], ADD COLUMN criteria text[],"
        " ADD COLUMN user_refs text, ADD COLUMN redact boolean, ADD COLUMN redact_pattern text"
    ),
    (
        "ALTER TABLE qa_answers ADD COLUMN app_version text, ADD COLUMN environment text,"
        " ADD COLUMN user_ref text, ADD COLUMN session_id text, ADD COLUMN tags text[],"
        " ADD COLUMN attributes jsonb, ADD COLUMN history jsonb,"
        " ADD COLUMN standalone_question text"
    ),
    "CREATE FUNCTION stored_user_ref(uuid, text) RETURNS text LANGUAGE sql RETURN $2",
    "ALTER TABLE qa_scores ADD COLUMN criterion_version int",
    "CREATE TABLE judge_criteria (workspace_id uuid, reference text)",
    (
        "CREATE TABLE judge_prompt_examples"
        " (workspace_id uuid, prompt_id uuid, position int, example jsonb)"
    ),
)


NOT_OF_THEN = (
    (
        "ALTER TABLE qa_answers DROP COLUMN app_version, DROP COLUMN environment,"
        " DROP COLUMN user_ref, DROP COLUMN session_id, DROP COLUMN tags, DROP COLUMN attributes,"
        " DROP COLUMN history, DROP COLUMN standalone_question"
    ),
    (
        "ALTER TABLE evaluation_policies DROP COLUMN criteria, DROP COLUMN user_refs,"
        " DROP COLUMN redact, DROP COLUMN redact_pattern"
    ),
    "DROP FUNCTION stored_user_ref",
    "ALTER TABLE qa_scores DROP COLUMN criterion_version",
    "DROP TABLE judge_criteria",
    "DROP TABLE judge_prompt_examples",
)


async def test_tables_are_moved_while_in_use_and_after_a_kill(world, monkeypatch):
    with alembic(world.url) as config:
        command.downgrade(config, "0044")
    for statement in OF_TODAY:
        await world.rows(statement)
    days = [MONTH, MONTH.replace(day=20), MONTH.replace(month=5), MONTH.replace(month=6)]
    answers = [await judged_on(world, day) for day in days]
    before = await rows_of(world, answers)

    async with await psycopg.AsyncConnection.connect(world.url) as other:
        # The migration cannot get past this row.
        await other.execute(
            "SELECT FROM qa_evaluation_sources ORDER BY evaluation_id DESC LIMIT 1 FOR UPDATE"
        )
        process = await asyncio.create_subprocess_exec(*(sys.executable, "-c", _MIGRATE, world.url))
        try:
            await until_progress(world, "qa_evaluation_sources")
            assert await rows_of(world, answers) == before
        finally:
            process.kill()
            await process.wait()
        gone = answers.pop(0)
        await world.rows("DELETE FROM qa_answers WHERE id = %s", gone)

    kept = await rows_of(world, answers)
    stopping = asyncio.Event()
    using = asyncio.create_task(use(world, stopping))
    with monkeypatch.context() as patched:
        # The last that moves a table.
        upgrade = command.upgrade
        patched.setattr(command, "upgrade", lambda config, _: upgrade(config, "0046"))
        await asyncio.to_thread(migrate, world.url)
    stopping.set()
    fresh = await using
    for statement in NOT_OF_THEN:
        await world.rows(statement)
    await asyncio.to_thread(migrate, world.url)

    assert await rows_of(world, answers) == kept
    assert all(not rows for rows in (await rows_of(world, [gone])).values())
    counted = {table: len(rows) for table, rows in (await rows_of(world, fresh)).items()}
    assert counted["judge_calls"] == len(fresh)
    assert counted["verdict_events"] == 3 * len(fresh)
    assert counted["qa_evaluation_sources"] == counted["qa_answer_sources"] == 2 * len(fresh)
    homes_of_claims = {name for name in await homes(world) if "evaluation_sources" in name}
    today = dt.datetime.now(dt.UTC)
    assert homes_of_claims == {
        f"partitions.qa_evaluation_sources_{month}"
        for month in ("2025_03", "2025_05", "2025_06", f"{today:%Y_%m}")
    }
    with alembic(world.url) as config:
        command.check(config)


@pytest.fixture
def small_disk(postgres_url: str) -> Iterator[Path]:
    """A file system in memory that belongs to PostgreSQL's account; the tablespace on it is
    `small`."""
    folder = Path(tempfile.mkdtemp(prefix="sqa-"))
    mount = ["mount", "-t", "tmpfs", "-o", "size=12m", "tmpfs", folder]
    if subprocess.run(mount, capture_output=True).returncode != 0:
        folder.rmdir()
        pytest.skip("no file system may be mounted here")
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        (data,) = connection.execute("SHOW data_directory").fetchone() or ("",)
        owner = Path(data).stat()
        os.chown(folder, owner.st_uid, owner.st_gid)
        connection.execute(f"CREATE TABLESPACE small LOCATION '{folder}'".encode())
        try:
            yield folder
        finally:
            connection.execute("DROP TABLESPACE small")
            subprocess.run(["umount", "--lazy", folder], check=True)
            folder.rmdir()


_LONG_NOTES = """
WITH workspace AS (
    INSERT INTO workspaces (id, name) VALUES (gen_random_uuid(), 'long') RETURNING id
), answer AS (
    INSERT INTO qa_answers (id, workspace_id, question, answer, lang, feature, origin)
    SELECT gen_random_uuid(), id, 'q', 'a', 'ko', 'search_qa', 'chat' FROM workspace
    RETURNING id, workspace_id
)
INSERT INTO qa_answer_sources (workspace_id, answer_id, note_index, title, content)
SELECT a.workspace_id, a.id, n, 'note', (
    SELECT string_agg(sha512(convert_to(n || '.' || i, 'UTF8'))::text, '')
    FROM generate_series(1, 1000) i)
FROM answer a, generate_series(1, 100) n
"""


def test_a_full_disk_stops_the_move_until_there_is_room(postgres_url, small_disk):
    with servers.migrated_database(postgres_url) as url:
        with alembic(url) as config:
            command.downgrade(config, "0044")
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(_LONG_NOTES)
            name = connection.info.dbname
            connection.execute(f"ALTER DATABASE {name} SET default_tablespace = small".encode())
        count = "SELECT count(*), sum(length(content)) FROM qa_answer_sources"
        with psycopg.connect(url) as connection:
            before = connection.execute(count).fetchone()
        with pytest.raises(SetupError, match=r"disk of the database is full.*migrate again"):
            migrate(url)

        with psycopg.connect(url) as connection:
            assert connection.execute(count).fetchone() == before
        subprocess.run(["mount", "-o", "remount,size=200m", small_disk], check=True)
        migrate(url)

        with psycopg.connect(url) as connection:
            assert connection.execute(count).fetchone() == before
        with alembic(url) as config:
            command.check(config)


def test_a_full_disk_stops_any_migration_until_there_is_room(postgres_url, small_disk):
    with servers.migrated_database(postgres_url) as url:
        with alembic(url) as config:
            command.downgrade(config, "0064")
        with psycopg.connect(url, autocommit=True) as connection:
            name = connection.info.dbname
            connection.execute(f"ALTER DATABASE {name} SET default_tablespace = small".encode())
        ballast = small_disk / "ballast"
        with ballast.open("wb") as file:
            os.posix_fallocate(file.fileno(), 0, shutil.disk_usage(small_disk).free)
        with pytest.raises(SetupError, match=r"disk of the database is full.*migrate again"):
            migrate(url)
        ballast.unlink()
        migrate(url)


_MORE_NOTES = """
INSERT INTO qa_answer_sources (workspace_id, answer_id, note_index, title, content)
SELECT workspace_id, id, n, 'note', (
    SELECT string_agg(sha512(convert_to(n || '.' || i, 'UTF8'))::text, '')
    FROM generate_series(1, 1000) i)
FROM qa_answers, generate_series(101, 200) n
"""


async def test_a_full_disk_leaves_the_rows_of_a_month_where_they_are(
    postgres_url, small_disk, monkeypatch, run_cli
):
    with servers.migrated_database(postgres_url) as url:
        with psycopg.connect(url, autocommit=True) as connection:
            name = connection.info.dbname
            connection.execute(f"ALTER DATABASE {name} SET default_tablespace = small".encode())
        monkeypatch.setenv("DATABASE_URL", url)
        async with open_world(url) as world:
            await judged_on(world, MONTH)
            await world.rows(_MORE_NOTES)
            before = await homes(world)

            full = await asyncio.to_thread(run_cli, "partitions", "add", "--month", "2025-03")
            assert full.code != 0
            assert "disk of the database is full" in full.err
            partition = "partitions.qa_answer_sources_{}".format
            kept = await homes(world)
            assert kept[partition("default")] == before[partition("default")]
            assert partition("2025_03") not in kept

            remount = ["mount", "-o", "remount,size=200m", small_disk]
            await asyncio.to_thread(subprocess.run, remount, check=True)
            added = await asyncio.to_thread(run_cli, "partitions", "add", "--month", "2025-03")
            assert added.code == 0
            assert await homes(world) == {
                name.replace("default", "2025_03"): count for name, count in before.items()
            }
