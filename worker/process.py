"""The loops of a worker process, and what it sets up by Celery's signals: priority, open files,
heartbeat, garbage collection, child processes."""

import gc
import logging
import os
from collections.abc import Callable
from threading import Lock, Timer
from typing import Any, Generic, TypeVar

from celery import signals
from celery.concurrency import get_implementation
from celery.worker.control import control_command

from app.platform.broker import Queue
from app.platform.errors import SetupError
from app.platform.heartbeat import heartbeat
from app.platform.metrics import serve_metrics, stop_metrics
from app.platform.processes.pool import close_lanes, quick_lane
from app.platform.processes.system import allow_open_files, quiet_libraries
from app.platform.settings import Settings, get_settings
from app.platform.spans import start_spans, stop_spans
from app.verdicts.judging import rules_verdict
from worker.celery_app import app
from worker.judge_loop import JudgeLoop
from worker.loop_thread import IdLoop, LoopThread
from worker.places import Places
from worker.pool import AsyncPool

logger = logging.getLogger(__name__)

Queues = frozenset[str]
Loop = TypeVar("Loop", bound=LoopThread)


class ProcessLoop(Generic[Loop]):
    """One loop, made when it is first called for. Celery's warm shutdown waits for what the pool
    has in hand, and how long that takes is up to the loop."""

    def __init__(self, make: Callable[[Settings, str, Queues], Loop]) -> None:
        self._make = make
        self._starting = Lock()
        self._loop: Loop | None = None
        signals.worker_shutting_down.connect(self._begin_stop)
        signals.worker_shutdown.connect(self._close)

    def __call__(self) -> Loop:
        with self._starting:
            if self._loop is None:
                settings = get_settings()
                if not settings.database.url:
                    raise SetupError(
                        "Set DATABASE_URL to the PostgreSQL of SearchQA, or run `searchqa up`."
                    )
                loop = self._make(settings, settings.database.url, consumed_queues())
                loop.start()
                self._loop = loop
            return self._loop

    def _begin_stop(self, **_: object) -> None:
        if self._loop:
            self._loop.begin_stop(get_settings().worker.stop_grace_seconds)

    def _close(self, **_: object) -> None:
        if self._loop:
            self._loop.close()


def consumed_queues() -> Queues:
    """The queues that this process serves."""
    return frozenset(app.amqp.queues.consume_from)


def _make_job_loop(settings: Settings, database_url: str, queues: Queues) -> IdLoop:
    # Jobs bring statistics, importers and SQLAlchemy with them: half of what a worker imports,
    # and one for fresh answers does none.
    from worker.jobs import make_job_loop

    return make_job_loop(settings, database_url, queues)


def _make_webhook_loop(settings: Settings, database_url: str, _: Queues) -> LoopThread:
    from worker.webhook_loop import WebhookLoop

    return WebhookLoop(settings, database_url)


judge_loop = ProcessLoop(lambda *given: JudgeLoop(*given))
job_loop = ProcessLoop(_make_job_loop)
webhook_loop = ProcessLoop(_make_webhook_loop)


# Connections to Redis (300 at most) and PostgreSQL, and what libraries hold open.
OTHER_OPEN_FILES = 512
# A tenth of the CPU where others want it, all that they leave.
BULK_NICENESS = 10
WARM_UP_AFTER_SECONDS = 2


def _lower_priority(**_: object) -> None:
    """Lowers the priority of bulk-only workers, and of the threads that they start later."""
    queues = consumed_queues()
    if Queue.BULK in queues and Queue.LIVE not in queues:
        os.nice(BULK_NICENESS)


def _start(**_: object) -> None:
    quiet_libraries()
    settings = get_settings()
    start_spans(settings, "worker")
    serve_metrics(settings, "-".join(sorted(consumed_queues())), heartbeat.silences)
    heartbeat.start(settings.stack.heartbeat_limit_seconds, settings.stack.heartbeat_file)
    # Flower shows each task; a line for each one here would cost more than judging's parsing.
    for name in ("celery.worker.strategy", "celery.app.trace"):
        logging.getLogger(name).setLevel(logging.WARNING)
    if settings.worker.threads is not None:
        logger.warning("SEARCHQA_WORKER_THREADS has no effect any more: waiting takes no threads")
    # Every call in flight has a connection.
    allow_open_files(Places(settings.worker.max_in_flight).capacity + OTHER_OPEN_FILES)
    judge_loop()


def _tune_gc(**_: object) -> None:
    """Freezes startup objects and raises the thresholds of the garbage collector: judging leaves
    no cycles, so what it looks at is alive. The defaults cost 20 % of the CPU at a thousand calls
    in flight, a tenth of this first threshold still some 8 %."""
    gc.freeze()
    gc.set_threshold(100_000, 20, 100)


def _warm_up(**_: object) -> None:
    """Loads the Korean model before the first answer needs it, but after the other processes
    that start with this one have had the CPU. One that is shared the API has loaded by then."""
    if Queue.LIVE in consumed_queues() and get_settings().stack.fork_server is None:
        loading = Timer(WARM_UP_AFTER_SECONDS, quick_lane().warm_up, args=(rules_verdict.__name__,))
        loading.daemon = True
        loading.start()


def _start_bulk_loops(**_: object) -> None:
    """Starts the job loop, so that due jobs need no message, and the webhook loop."""
    if Queue.BULK in consumed_queues():
        job_loop()
        webhook_loop()


def _begin_stop(**_: object) -> None:
    heartbeat.stop()


def _close(**_: object) -> None:
    """Comes after the loops' own receivers, which are connected when they are imported."""
    close_lanes()
    stop_metrics()
    stop_spans()


def _require_own_pool(sender: Any, **_: object) -> None:
    """Ends the process where `-P` names a pool that cannot run these tasks."""
    pool = get_implementation(sender.pool_cls)
    if not (isinstance(pool, type) and issubclass(pool, AsyncPool)):
        raise SystemExit(
            "worker: Leave out -P (--pool): these tasks run on the pool worker.pool:AsyncPool only,"
            " which holds thousands of calls without threads or processes."
        )


def _refuse_resizing(state: object, *_: object, **__: object) -> dict[str, str]:
    """Instead of Celery's own commands, whose traceback would say less."""
    return {
        "error": "This pool has a fixed size: set SEARCHQA_MAX_IN_FLIGHT and restart the worker, or"
        " start another worker."
    }


for _command in ("pool_grow", "pool_shrink", "pool_restart", "autoscale"):
    control_command(name=_command, args=[("n", int)], signature="[N]")(_refuse_resizing)
signals.worker_init.connect(_require_own_pool)
signals.worker_init.connect(_lower_priority)
signals.worker_init.connect(_start)
signals.worker_ready.connect(_tune_gc)
signals.worker_ready.connect(_warm_up)
signals.worker_ready.connect(_start_bulk_loops)
signals.worker_shutting_down.connect(_begin_stop)
signals.worker_shutdown.connect(_close)
