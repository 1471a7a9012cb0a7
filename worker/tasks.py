"""The two tasks: a short list of ids each. What becomes of them stands in their rows; the result
only says it in Flower. Each returns at once: see AsyncPool."""

import gc
import logging
import os
import uuid
from concurrent.futures import Future
from functools import lru_cache
from threading import Lock, Timer
from typing import TYPE_CHECKING, Any

from celery import signals

from app.broker import JOB_TASK_NAME, TASK_NAME, Queue
from app.errors import SetupError
from app.heartbeat import heartbeat
from app.logs import quiet_libraries
from app.open_files import allow_open_files
from app.processes import close_lanes, quick_lane
from app.settings import get_settings
from app.verdicts.judging import rules_verdict
from worker.celery_app import app
from worker.judge_loop import JudgeLoop
from worker.places import Places

if TYPE_CHECKING:
    from worker.job_loop import JobLoop

logger = logging.getLogger(__name__)

# Connections to Redis (300 at most) and PostgreSQL, and what libraries hold open.
OTHER_OPEN_FILES = 512
# A tenth of the CPU where others want it, all that they leave.
BULK_NICENESS = 10
# Seconds after the start.
WARM_UP_AFTER = 2

_starting = Lock()


@lru_cache(maxsize=1)
def _judge_loop() -> JudgeLoop:
    settings = get_settings()
    if not settings.database_url:
        raise SetupError("Set DATABASE_URL to the PostgreSQL of SearchQA, or run `searchqa up`.")
    queues = frozenset(app.amqp.queues.consume_from)
    loop = JudgeLoop(settings, settings.database_url, queues=queues)
    loop.start()
    return loop


def judge_loop() -> JudgeLoop:
    """This process's loop, started by whoever comes first."""
    with _starting:
        return _judge_loop()


def _job_loop() -> "JobLoop":
    # Jobs bring statistics, importers and SQLAlchemy with them: half of what a worker imports,
    # and one for fresh answers does none.
    from worker import jobs

    return jobs.job_loop()


@app.task(name=TASK_NAME)  # type: ignore[untyped-decorator]  # celery ships no types
def judge(ids: list[str]) -> Future[str]:
    """Judges those of `ids` that are free. Retries live in the rows' run_at, never here."""
    return judge_loop().submit([uuid.UUID(id_) for id_ in ids])


@app.task(name=JOB_TASK_NAME)  # type: ignore[untyped-decorator]
def do_jobs(ids: list[str]) -> Future[str]:
    """Does those of `ids` that are free and have room here."""
    return _job_loop().submit([uuid.UUID(id_) for id_ in ids])


@signals.worker_init.connect  # type: ignore[untyped-decorator]
def _lower_priority(sender: Any, **_: object) -> None:
    """Nobody waits for what only the bulk queue brings, and it takes all the CPU it gets. Threads
    that start later are as nice."""
    queues = sender.app.amqp.queues.consume_from
    if Queue.BULK in queues and Queue.LIVE not in queues:
        os.nice(BULK_NICENESS)


@signals.worker_init.connect  # type: ignore[untyped-decorator]
def _start(**_: object) -> None:
    quiet_libraries()
    heartbeat.start(get_settings().heartbeat_limit, get_settings().heartbeat_file)
    # Flower shows each task; a line for each one here would cost more than judging's parsing.
    for name in ("celery.worker.strategy", "celery.app.trace"):
        logging.getLogger(name).setLevel(logging.WARNING)
    settings = get_settings()
    if settings.worker_threads is not None:
        logger.warning("SEARCHQA_WORKER_THREADS has no effect any more: waiting takes no threads")
    # Every call in flight has a connection.
    allow_open_files(Places(settings.max_in_flight).capacity + OTHER_OPEN_FILES)
    judge_loop()


@signals.worker_ready.connect  # type: ignore[untyped-decorator]
def _tune_gc(**_: object) -> None:
    """Of the objects of a thousand calls in flight little is garbage, of those loaded by now
    nothing: with Python's own thresholds a fifth of the time of judging goes into looking."""
    gc.freeze()
    gc.set_threshold(10_000, 10, 10)


@signals.worker_ready.connect  # type: ignore[untyped-decorator]
def _warm_up(sender: Any, **_: object) -> None:
    """The first answer should not wait for the child process that loads the Korean model, nor
    other parts that start with this one for the core that loads it."""
    if Queue.LIVE in sender.app.amqp.queues.consume_from:
        loading = Timer(WARM_UP_AFTER, quick_lane().warm_up, (rules_verdict.__name__,))
        loading.daemon = True
        loading.start()


@signals.worker_ready.connect  # type: ignore[untyped-decorator]
def _look_for_jobs(sender: Any, **_: object) -> None:
    """What is due need not wait for a message."""
    if Queue.BULK in sender.app.amqp.queues.consume_from:
        _job_loop()


# Celery's warm shutdown waits for what the pool has in hand, and that is up to the loop.
@signals.worker_shutting_down.connect  # type: ignore[untyped-decorator]
def _begin_stop(**_: object) -> None:
    heartbeat.stop()
    if _judge_loop.cache_info().currsize:
        _judge_loop().begin_stop(get_settings().stop_grace)


@signals.worker_shutdown.connect  # type: ignore[untyped-decorator]
def _close(**_: object) -> None:
    if _judge_loop.cache_info().currsize:
        _judge_loop().close()
    close_lanes()
