"""What a judged answer costs, in counts that are the same on a busy machine: SQL statements, Redis
commands, HTTP connections. An answer takes one judge call here, without checklist and phases.

A limit is what is needed now. Raising one needs a reason; whoever needs less lowers it.
"""

import re
import uuid
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from pathlib import Path

import psycopg
import pytest
import redis

from app.ai_router.limits.model_limit import PLAIN_REPLIES
from app.platform.broker import Publisher, Queue
from app.platform.db.pool import create_pool
from app.platform.jobs.store import JobStore
from app.platform.settings import Settings
from app.verdicts.lifecycle.lifecycle import VerdictLifecycle
from app.verdicts.policy.evaluation_policy import EvaluationPolicy
from cases import eventually
from judge_replies import Gate
from stub_server import StubServer
from verdict_world import World, open_world, settings, store_answers
from worker.dispatcher import Dispatcher
from workers import worker_process

pytestmark = pytest.mark.slow


# BEGIN with the workspace, the answer with its notes, the evaluation with its event, COMMIT.
STATEMENTS_TO_STORE = 4
# Claim, reply and record. Where replies are reused, which conftest.py switches off, a fourth looks
# for one (test_reply_reuse.py).
STATEMENTS_TO_JUDGE_ONE = 3
# For each answer of some batches; how many meet depends on the moment (0.02 to 0.03 were seen),
# while without company each would need those three.
STATEMENTS_OF_A_BATCH = 0.25
# Two that take back, two for paused judges and their stand-ins, three for what is due in each
# queue, two for jobs; as many when 200 rows are due.
STATEMENTS_OF_A_TICK = 9
# LPUSH.
COMMANDS_TO_PUBLISH = 1
# LPUSH, BRPOP, PUBLISH of what Flower shows. One more for BRPOPs that found nothing and for events
# that go out in two.
COMMANDS_TO_JUDGE_ONE = 4
# The same for messages of twenty ids.
COMMANDS_OF_A_BATCH = 0.25
# The length of each queue, once for evaluations and once for jobs.
COMMANDS_OF_A_TICK = 5

ALONE, BATCHED, BATCH = 20, 200, 20
# Replies without limits, after which the judge has none.
KNOWN_AFTER = PLAIN_REPLIES
# By the test, in a transaction of its own.
LOOKING_UP_THE_WORKSPACE = 3

# But for reports that a process lives, of which a busy machine sees more.
_STATEMENT = re.compile(
    r"LOG:  (?:statement|execute [^:]+):(?!\s*(?:INSERT INTO|UPDATE) proc)\s*([A-Z;]*)"
)


class Statements:
    """Those of all sessions of a database, by their first word, from PostgreSQL's log."""

    def __init__(self, log: Path) -> None:
        self._log = log
        self._seen = 0
        self.since_last()

    def since_last(self) -> Counter[str]:
        with self._log.open(encoding="utf-8", errors="replace") as log:
            log.seek(self._seen)
            said = log.read()
            self._seen = log.tell()
        return Counter(_STATEMENT.findall(said))


class Commands:
    """Those that Redis has carried out, by name, but for the test's own and for those that come
    with time, of which a busy machine sees more: heartbeats."""

    def __init__(self, client: redis.Redis) -> None:
        self._client = client
        self._seen: Counter[str] = Counter()
        self._heartbeats = client.pubsub()
        self._heartbeats.psubscribe("*worker.heartbeat")
        self.since_last()

    def since_last(self) -> Counter[str]:
        stats = self._client.info("commandstats")
        now = Counter({name.partition("_")[2]: stat["calls"] for name, stat in stats.items()})
        new, self._seen = now - self._seen, now
        new -= Counter(publish=self._heartbeats_since_last())
        return Counter({name: n for name, n in new.items() if name != "info"})

    def _heartbeats_since_last(self) -> int:
        messages = iter(self._heartbeats.get_message, None)
        return sum(message["type"] == "pmessage" for message in messages)

    def close(self) -> None:
        self._heartbeats.close()


@pytest.fixture
async def world(clean_database_url: str) -> AsyncIterator[World]:
    """A database, alone among those of the run, whose statements are logged."""
    name = psycopg.conninfo.conninfo_to_dict(clean_database_url)["dbname"]
    with psycopg.connect(clean_database_url, autocommit=True) as connection:
        connection.execute(f"ALTER DATABASE {name} SET log_statement = 'all'")
    async with open_world(clean_database_url) as world:
        yield world


@pytest.fixture
def statements(world: World, run_folder: Path) -> Statements:
    return Statements(run_folder / "pg" / "log")


@pytest.fixture
def broker(redis_url: str) -> Iterator[redis.Redis]:
    with redis.Redis.from_url(redis_url) as client:
        yield client


@pytest.fixture
def commands(broker: redis.Redis) -> Iterator[Commands]:
    commands = Commands(broker)
    yield commands
    commands.close()


@pytest.fixture
def chosen(world: World, redis_url: str, judge: StubServer) -> Settings:
    return settings(
        database_url=world.url,
        redis_url=redis_url,
        openai_base_url=judge.base_url,
        judge_model="openai:stub",
        quality_gate=False,
        phases=(),
    )


@pytest.fixture
def publisher(chosen: Settings, redis_url: str) -> Iterator[Publisher]:
    """Its connection is open."""
    publisher = Publisher(redis_url, chosen)
    publisher.publish(Queue.LIVE, [uuid.uuid4()])
    yield publisher
    publisher.close()


@pytest.fixture
async def worker(chosen: Settings, broker: redis.Redis) -> AsyncIterator[None]:
    """A worker process that waits for messages and has had one."""
    async with worker_process(chosen):
        yield


class Judged:
    """Waits for verdicts, in a session that logs nothing."""

    def __init__(self, world: World) -> None:
        self._connection = psycopg.connect(
            world.url, autocommit=True, options="-c log_statement=none"
        )

    async def all_of(self, ids: Sequence[uuid.UUID]) -> None:
        await eventually(lambda: self._count(ids) >= len(ids))

    def _count(self, ids: Sequence[uuid.UUID]) -> int:
        query = "SELECT count(*) FROM qa_evaluations WHERE id = ANY(%s) AND status = 'succeeded'"
        row = self._connection.execute(query, [list(ids)]).fetchone()
        return int(row[0])

    def close(self) -> None:
        self._connection.close()


@pytest.fixture
def judged(world: World) -> Iterator[Judged]:
    judged = Judged(world)
    yield judged
    judged.close()


async def store(world: World, chosen: Settings, count: int) -> list[uuid.UUID]:
    policy = EvaluationPolicy.from_settings(chosen)
    return [new.evaluation_id for new in await store_answers(world, count, policy=policy)]


async def known(world: World, chosen: Settings, publisher: Publisher, judged: Judged) -> None:
    """The judge has answered often enough to be known to have no limits."""
    for id_ in await store(world, chosen, KNOWN_AFTER):
        publisher.publish(Queue.LIVE, [id_])
        await judged.all_of([id_])


async def test_storing_an_answer(world, statements, chosen):
    await store(world, chosen, 1)
    statements.since_last()

    await store(world, chosen, ALONE)

    used = statements.since_last()
    assert used.total() - LOOKING_UP_THE_WORKSPACE <= STATEMENTS_TO_STORE * ALONE, used


async def test_publishing_an_answer(commands, publisher):
    commands.since_last()

    for _ in range(ALONE):
        publisher.publish(Queue.LIVE, [uuid.uuid4()])

    used = commands.since_last()
    assert used.total() <= COMMANDS_TO_PUBLISH * ALONE, used


@pytest.mark.usefixtures("worker")
async def test_answers_that_come_one_by_one(
    world, statements, commands, chosen, publisher, judge, judged
):
    await known(world, chosen, publisher, judged)
    ids = await store(world, chosen, ALONE)
    statements.since_last()
    commands.since_last()

    for id_ in ids:
        publisher.publish(Queue.LIVE, [id_])
        await judged.all_of([id_])

    used, sent = statements.since_last(), commands.since_last()
    assert used.total() <= STATEMENTS_TO_JUDGE_ONE * ALONE, used
    assert sent.total() <= COMMANDS_TO_JUDGE_ONE * ALONE, sent
    assert judge.connections == 1


@pytest.mark.usefixtures("worker")
async def test_answers_that_come_in_batches(
    world, statements, commands, chosen, publisher, judge, judged
):
    await known(world, chosen, publisher, judged)
    ids = await store(world, chosen, 2 * BATCHED)
    # One that idles meanwhile is closed by the worker.
    opened = judge.connections
    for half in (ids[:BATCHED], ids[BATCHED:]):
        judge.default = gate = Gate()
        statements.since_last()
        commands.since_last()
        for start in range(0, BATCHED, BATCH):
            publisher.publish(Queue.LIVE, half[start : start + BATCH])
        await judge.until_in_flight(BATCHED)
        gate.open.set()
        await judged.all_of(half)

        used, sent = statements.since_last(), commands.since_last()
        assert used.total() <= STATEMENTS_OF_A_BATCH * BATCHED, used
        assert sent.total() <= COMMANDS_OF_A_BATCH * BATCHED, sent
    assert judge.connections - opened <= judge.most_in_flight


async def test_a_tick_of_the_dispatcher(world, statements, commands, chosen, publisher):
    async with create_pool(world.url, max_size=2) as pool:
        lifecycle, jobs = VerdictLifecycle(pool, chosen), JobStore(pool, chosen)
        dispatcher = Dispatcher(lifecycle, jobs, publisher, chosen)
        await dispatcher.tick()
        for due in (0, BATCHED):
            await store(world, chosen, due)
            await world.rows("UPDATE qa_evaluations SET run_at = now()")
            statements.since_last()
            commands.since_last()

            assert await dispatcher.tick() == due

            used, sent = statements.since_last(), commands.since_last()
            assert used.total() <= STATEMENTS_OF_A_TICK, used
            assert sent.total() <= COMMANDS_OF_A_TICK + due / BATCH * COMMANDS_TO_PUBLISH, sent
