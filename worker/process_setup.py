"""What a worker process sets up when it starts and takes down when it stops, by Celery's signals:
priority, open files, heartbeat, loops, garbage collection, child processes."""

import gc
import logging
import os
from threading import Timer

from celery import signals

from app.platform.broker import Queue
from app.platform.heartbeat import heartbeat
from app.platform.logs import quiet_libraries
from app.platform.open_files import allow_open_files
from app.platform.processes import close_lanes, quick_lane
from app.platform.settings import get_settings
from app.platform.telemetry.metrics_server import serve_metrics, stop_metrics
from app.platform.telemetry.spans import start_spans, stop_spans
from app.verdicts.judging import rules_verdict
from worker.places import Places
from worker.process_loops import consumed_queues, job_loop, judge_loop, webhook_loop

logger = logging.getLogger(__name__)

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
    """What is due need not wait for a message, and no message tells of webhooks."""
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


signals.worker_init.connect(_lower_priority)
signals.worker_init.connect(_start)
signals.worker_ready.connect(_tune_gc)
signals.worker_ready.connect(_warm_up)
signals.worker_ready.connect(_start_bulk_loops)
signals.worker_shutting_down.connect(_begin_stop)
signals.worker_shutdown.connect(_close)
